/** The IPC messages between the scenario host and an exchange in a process of its own. Both have the same version. */
import type { ProductPerson } from '../../../sim/product/product-person.ts';
import type { MediaLeg } from '../../../sim/exchange/ports.ts';
import type { RoomSnapshot } from '../../../sim/exchange/rooms/room-snapshot.ts';
import type { ExchangeSettings } from '../../../sim/exchange/settings.ts';
import type { PathOwner } from './media-paths.ts';

/** The argument of an exchange that loads the engine of rooms before it starts. */
export const WITH_ROOMS = 'with-rooms';

/** The messages from the host to the exchange. */
export type ExchangeCommand =
  | {
      readonly type: 'start';
      /** 0 selects any free port. */
      readonly port: number;
      readonly database: string;
      readonly users: readonly ProductPerson[];
      readonly settings: Partial<ExchangeSettings>;
    }
  | { readonly type: 'forget-calls' | 'turn-changed' }
  | { readonly type: 'revoke'; readonly user: string }
  | { readonly type: 'rewritten'; readonly id: number; readonly text: string | null };

/** The messages from the exchange to the host. Media passes through proxies of the host, which outlive the exchange. */
export type ExchangeNews =
  | { readonly type: 'loaded' }
  | { readonly type: 'ready'; readonly port: number }
  | {
      readonly type: 'seen';
      readonly calls: number;
      readonly devices: number;
      readonly rooms: readonly RoomSnapshot[];
    }
  | { readonly type: 'open' | 'dispose'; readonly of: PathOwner }
  | {
      readonly type: 'rewrite';
      readonly id: number;
      readonly of: PathOwner;
      readonly what: 'sdp' | 'candidate';
      readonly text: string;
      readonly from: MediaLeg;
    };
