/** Explains why no device of a callee rings, as far as the exchange shows it to programs of its machine. */
import { readView } from './admin-requests.ts';

/** What the exchange knows of a callee. */
export interface WaitReason {
  /** The number of connected devices. */
  readonly devices: number;
  /** How the callee was notified. Null without a notification. */
  readonly notified: { readonly by: 'app' } | { readonly by: 'push'; readonly devices: number } | null;
}

/** The most rows of a view. */
const ROWS = 1_000;

/** Returns what the exchange knows of the callee of a call. Null for an exchange that does not show it. */
export async function explainWait(
  server: string,
  { peer, callId }: { readonly peer: string; readonly callId: string },
): Promise<WaitReason | null> {
  try {
    const [{ users }, { calls }] = await Promise.all([
      readView('adminUsers', server, ROWS),
      readView('adminCalls', server, ROWS),
    ]);
    const user = users.find(({ user_id }) => user_id === peer);
    const call = calls.find(({ call_id }) => call_id === callId);
    return user && call ? { devices: user.devices, notified: call.notified } : null;
  } catch {
    // Only an exchange of this machine shows it. The wait goes on without the reason.
    return null;
  }
}
