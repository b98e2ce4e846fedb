// Imported before a server: prints what keeps it alive when it is told to end.
process.on("SIGTERM", () => {
  const counts = {};
  for (const name of process.getActiveResourcesInfo()) {
    counts[name] = (counts[name] ?? 0) + 1;
  }
  console.log(JSON.stringify(counts));
  process.exit();
});
