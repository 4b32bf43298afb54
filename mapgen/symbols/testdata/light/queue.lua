local M = {}
local util = require("shop.util")
local json = require 'json'

--[[ function M.commented()
end ]]
function M.push(queue, item)
  table.insert(queue, item)
end

function M:pop() end
M.size = function(queue) return #queue end
local function hidden() end
-- function M.not_this() end
function global_one(x) end

return M
