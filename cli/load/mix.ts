/** The mix of a run: what becomes of each call, in fixed shares. Pure. */

/** What the users do: hang up after a time, decline the ring, or cancel the dial while it rings. */
export const CALL_KINDS = ['complete', 'decline', 'cancel'] as const;
export type CallKind = (typeof CALL_KINDS)[number];

/** The share of each kind. Any unit: only the ratios matter. */
export type Mix = Readonly<Record<CallKind, number>>;

export const ONLY_COMPLETE: Mix = { complete: 1, decline: 0, cancel: 0 };

/** Parses `complete=90,decline=10`. Undefined for anything else. */
export function mixOf(text: string): Mix | undefined {
  const mix = { complete: 0, decline: 0, cancel: 0 };
  for (const word of text.split(',')) {
    const [, name, share] = /^\s*(\w+)\s*=\s*(\d{1,6})\s*$/.exec(word) ?? [];
    const kind = CALL_KINDS.find((known) => known === name);
    if (!kind) return undefined;
    mix[kind] += Number(share);
  }
  return CALL_KINDS.some((kind) => mix[kind] > 0) ? mix : undefined;
}

/** Yields the kind of each call. After any number of calls, each kind has its share of them, give or take one call. */
export function* kindsOf(mix: Mix): Generator<CallKind, never> {
  const total = CALL_KINDS.reduce((sum, kind) => sum + mix[kind], 0);
  const credit = { complete: 0, decline: 0, cancel: 0 };
  for (;;) {
    for (const kind of CALL_KINDS) credit[kind] += mix[kind];
    const next = CALL_KINDS.reduce((best, kind) => (credit[kind] > credit[best] ? kind : best));
    credit[next] -= total;
    yield next;
  }
}
