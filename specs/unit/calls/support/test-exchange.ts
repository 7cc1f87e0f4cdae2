import { Exchange } from '../../../../sim/exchange/exchange.ts';
import type { PostWebhook } from '../../../../sim/exchange/ports.ts';
import type { ExchangeSettings } from '../../../../sim/exchange/settings.ts';
import type { VirtualClock } from '../../../../sim/virtual/clock.ts';
import type { RoomMediaEngine } from '../../../../sim/exchange/rooms/room-media.ts';
import { MemoryStore } from '../../../../sim/store/memory-store.ts';

export type TestExchange = Exchange;

/** An exchange on the world's clock, with three users and ids that count up. */
export function testExchange(
  clock: VirtualClock,
  settings: Partial<ExchangeSettings> = {},
  postWebhook: PostWebhook = async () => undefined,
  roomMedia?: RoomMediaEngine,
): TestExchange {
  let made = 0;
  const next = (kind: string) => `${kind}-${String((made += 1)).padStart(20, '0')}`;
  return new Exchange({
    clock,
    store: new MemoryStore(),
    ids: { uuid: () => next('id'), token: () => next('token') },
    users: ['alice', 'bob', 'carol'].map((user_id) => ({ user_id, nickname: user_id, profile_url: '' })),
    settings: { appId: 'ringback-demo', ...settings },
    postWebhook,
    ...(roomMedia ? { roomMedia } : {}),
    hmacSha1: (key, text) => `hmac(${key},${text})`,
  });
}
