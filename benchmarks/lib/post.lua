-- Posts the body that stands after `--`. wrk prepares its one request behind
-- init(), so it is sent as fast as any other.
local folder = debug.getinfo(1, "S").source:match("^@(.*/)")
dofile(folder .. "report.lua")

function init(args)
  wrk.method = "POST"
  wrk.body = args[1]
end
