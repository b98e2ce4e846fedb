-- Sends sixteen requests at a time without waiting for an answer, as no
-- browser does.
local folder = debug.getinfo(1, "S").source:match("^@(.*/)")
dofile(folder .. "report.lua")

local depth = 16
local batch

function init()
  local requests = {}
  for i = 1, depth do
    requests[i] = wrk.format()
  end
  batch = table.concat(requests)
end

function request()
  return batch
end
