-- wrk rounds what it prints to three digits and stops at the 99th percentile.
-- This adds one line with the whole figures. It has only done(), so wrk still
-- sends its one prepared request.
function done(summary, latency, requests)
  local figures = {
    string.format('"duration":%d', summary.duration),
    string.format('"requests":%d', summary.requests),
    string.format('"bytes":%d', summary.bytes),
    string.format('"mean":%.3f', latency.mean),
    string.format('"stdev":%.3f', latency.stdev),
    string.format('"max":%d', latency.max),
  }
  local percentiles = { p50 = 50, p75 = 75, p90 = 90, p99 = 99, p999 = 99.9 }
  for name, percentile in pairs(percentiles) do
    table.insert(figures, string.format('"%s":%d', name, latency:percentile(percentile)))
  end
  io.write("bench-report {" .. table.concat(figures, ",") .. "}\n")
end
