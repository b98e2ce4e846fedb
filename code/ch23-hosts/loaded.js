const [way, name] = process.argv.slice(2);
const before = process.memoryUsage.rss();
if (way === "import") await import(name);
else process.getBuiltinModule(name);
const bytes = process.memoryUsage.rss() - before;
console.log(`${(bytes / 2 ** 20).toFixed(0)} MB more`);
