import * as v from 'valibot';
import type { DeviceId } from '../exchange/directory/sessions.ts';
import type { Grant, ShortLivedTokens, TokenIssuer } from '../exchange/directory/short-lived-tokens.ts';
import type { Log } from '../exchange/logging/log.ts';
import type { Sha256 } from '../exchange/ports.ts';
import { grantKey } from './keys.ts';
import type { SharedState } from './shared-state.ts';

const GRANT = 'grant';
const USED_BY = 'used by';

const granted = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ userId: v.string(), clientId: v.nullable(v.string()), callId: v.string() }),
);

interface Parts {
  readonly state: SharedState;
  readonly log: Log;
  readonly sha256: Sha256;
  /** The life of a token. Milliseconds. */
  readonly lifeMs: number;
}

/** The short-lived tokens of all nodes. The shared state has each under its hash, with the request that used it. */
export class SharedTokens implements TokenIssuer {
  readonly #here: ShortLivedTokens;
  readonly #parts: Parts;

  constructor(here: ShortLivedTokens, parts: Parts) {
    this.#here = here;
    this.#parts = parts;
  }

  issue(grant: Grant): string {
    const { state, log, sha256, lifeMs } = this.#parts;
    const token = this.#here.issue(grant);
    state
      .changeFields(grantKey(sha256(token)), { set: { [GRANT]: JSON.stringify(grant) }, lifeMs })
      .catch((error: unknown) => log.warn('only this node accepts a short-lived token', { error }));
    return token;
  }

  isKnown(token: string): boolean {
    return this.#here.isKnown(token);
  }

  fetch(token: string): Promise<void> | null {
    return this.#here.isKnown(token) || token === '' ? null : this.#fetch(token);
  }

  async use(
    token: string,
    callId: string,
    requestId: string,
    clientId: string | undefined,
  ): Promise<DeviceId | undefined> {
    const device = this.#here.use(token, callId, requestId, clientId);
    if (!device) return undefined;
    const { state, sha256, lifeMs } = this.#parts;
    const key = grantKey(sha256(token));
    const use = JSON.stringify([requestId, device.clientId]);
    const isFirst = await state.changeFields(key, {
      where: { field: USED_BY, is: null },
      set: { [USED_BY]: use },
      lifeMs,
    });
    if (isFirst || (await state.fields(key)).get(USED_BY) === use) return device;
    return undefined;
  }

  async #fetch(token: string): Promise<void> {
    const { state, sha256, lifeMs } = this.#parts;
    const read = v.safeParse(granted, (await state.fields(grantKey(sha256(token)))).get(GRANT));
    if (read.success) this.#here.take(token, read.output, lifeMs);
  }
}
