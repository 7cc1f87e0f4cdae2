/** Frames on the wire, read only as far as a script needs. */
import * as v from 'valibot';

const passing = v.object({
  type: v.string(),
  request_id: v.optional(v.string()),
  cmd: v.optional(v.string()),
  error: v.optional(v.unknown()),
  payload: v.optional(
    v.object({
      call_id: v.optional(v.string()),
      callee: v.optional(v.object({ user_id: v.string() })),
    }),
  ),
});
export type PassingFrame = v.InferOutput<typeof passing>;

/** Returns the frame in a text or a parsed body. Undefined if it is none. */
export function passingFrame(said: unknown): PassingFrame | undefined {
  const result = v.safeParse(passing, typeof said === 'string' ? parse(said) : said);
  return result.success ? result.output : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
