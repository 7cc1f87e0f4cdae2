/**
 * The operations of several steps, as scripts. Redis runs a script as one operation:
 * https://redis.io/docs/latest/develop/programmability/eval-intro/. Each has one key. Their effects are replicated, so
 * they may read the time.
 */
import type { Result } from 'ioredis';

interface Script {
  readonly lua: string;
  readonly numberOfKeys: 1;
}

const script = (lua: string): Script => ({ lua, numberOfKeys: 1 });

/** ARGV: the value, its life. Returns the present value, or null. */
const setAbsent = script(`
local present = redis.call('GET', KEYS[1])
if present then return present end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return false`);

/**
 * ARGV: the life; the condition (`any`, `absent` or `is`), its field, its value; the number of fields to set, each with
 * its value; the fields to remove. Returns 1 when the condition held.
 */
const changeFields = script(`
local condition = ARGV[2]
if condition ~= 'any' then
  local value = redis.call('HGET', KEYS[1], ARGV[3])
  if condition == 'absent' and value then return 0 end
  if condition == 'is' and value ~= ARGV[4] then return 0 end
end
local removed = 6 + 2 * tonumber(ARGV[5])
for at = 6, removed - 1, 2 do redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1]) end
for at = removed, #ARGV do redis.call('HDEL', KEYS[1], ARGV[at]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1`);

/**
 * ARGV: the burst, the points per second, the points to take. Returns the milliseconds until there is a point. A full
 * bucket is an absent key. The difference of 0.000001 is for the rounding of fractions.
 */
const charge = script(`
local burst, rate, points = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local kept = redis.call('HMGET', KEYS[1], 'left', 'at')
local left, at = tonumber(kept[1] or burst), tonumber(kept[2] or now)
left = math.min(burst, left + math.max(0, now - at) / 1000 * rate)
left = math.max(-burst, left - points)
redis.call('HSET', KEYS[1], 'left', string.format('%.17g', left), 'at', string.format('%.17g', now))
redis.call('PEXPIRE', KEYS[1], math.max(1, math.ceil((burst - left) / rate * 1000)))
return math.max(0, math.ceil((math.min(1, burst) - left) / rate * 1000 - 0.000001))`);

/** Returns the milliseconds since the epoch by the clock of the server that has the key. */
const time = script(`
local time = redis.call('TIME')
return time[1] * 1000 + math.floor(time[2] / 1000)`);

/** ARGV: the most points of a window, its length, the points to count. Returns 0, or the milliseconds to its end. */
const count = script(`
local used, points = tonumber(redis.call('GET', KEYS[1]) or 0), tonumber(ARGV[3])
if used + points > tonumber(ARGV[1]) then
  local left = redis.call('PTTL', KEYS[1])
  if left < 0 then return tonumber(ARGV[2]) end
  return math.max(1, left)
end
if used + points <= 0 then redis.call('DEL', KEYS[1])
elseif used == 0 then redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[2])
else redis.call('INCRBY', KEYS[1], ARGV[3]) end
return 0`);

/** ARGV: the most entries, the life, the entries. The first element of the list is the number of the last entry. */
const append = script(`
local last = tonumber(redis.call('LPOP', KEYS[1]) or 0)
for at = 3, #ARGV do redis.call('RPUSH', KEYS[1], ARGV[at]) end
last = last + #ARGV - 2
if last == 0 then return 0 end
redis.call('LTRIM', KEYS[1], -tonumber(ARGV[1]), -1)
redis.call('LPUSH', KEYS[1], string.format('%.0f', last))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return last`);

/** ARGV: the text. The key is the channel, so that one server gets the texts of a channel, and keeps their order. */
const publish = script(`return redis.call('PUBLISH', KEYS[1], ARGV[1])`);

/** The scripts by the names of their methods, see `scripts` of the options of ioredis. */
export const SCRIPTS = {
  ringbackSetAbsent: setAbsent,
  ringbackChangeFields: changeFields,
  ringbackCharge: charge,
  ringbackTime: time,
  ringbackCount: count,
  ringbackAppend: append,
  ringbackPublish: publish,
};

declare module 'ioredis' {
  // The methods that ioredis makes of the scripts.
  interface RedisCommander<Context> {
    ringbackSetAbsent(key: string, value: string, lifeMs: number): Result<string | null, Context>;
    ringbackChangeFields(key: string, lifeMs: number, ...rest: (string | number)[]): Result<number, Context>;
    ringbackCharge(key: string, burst: number, perSecond: number, points: number): Result<number, Context>;
    ringbackTime(key: string): Result<number, Context>;
    ringbackCount(key: string, most: number, lifeMs: number, points: number): Result<number, Context>;
    ringbackAppend(key: string, most: number, lifeMs: number, ...entries: string[]): Result<number, Context>;
    ringbackPublish(channel: string, text: string): Result<number, Context>;
  }
}
