const options = { port: 11211 };
const words = process.argv.slice(2);
for (let n = 0; n < words.length; n++) {
  const name = /^--(\w+)$/.exec(words[n])?.[1];
  if (name === undefined) options.port = Number(words[n]);
  else options[name] = words[++n];
}
console.log(options);
