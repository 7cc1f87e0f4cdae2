import * as v from 'valibot';
import { heartbeatReport, PUSH_LIMITS } from '../../../src/protocol/product/push.ts';

/** Reads the last day on which an app was alive, YYYY-MM-DD. Null without a readable header. */
export function lastHeartbeat(header: string | null): string | null {
  if (header === null || header.length > PUSH_LIMITS.heartbeatHeaderBytes) return null;
  let body: unknown;
  try {
    body = JSON.parse(Buffer.from(header, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
  const report = v.safeParse(heartbeatReport, body);
  if (!report.success) return null;
  return (
    report.output.heartbeats
      .flatMap(({ dates }) => dates)
      .toSorted()
      .at(-1) ?? null
  );
}
