import type { RelayCredential } from '../../protocol/entities.ts';
import { initialCredential } from '../peer/connection-through.ts';
import { Peers } from '../peer/peers.ts';
import type { CallCommands } from './call-commands.ts';
import type { CallIdentity } from './call-identity.ts';
import type { LegDeps } from './leg-deps.ts';
import type { LegMedia } from './leg-media.ts';
import type { LegStats } from './leg-stats.ts';
import type { Lifecycle } from './lifecycle.ts';

/** The tracks of a call: each side sends and receives one of each kind. */
const AUDIO = { kind: 'audio', direction: 'sendrecv' } as const;
const VIDEO = { kind: 'video', direction: 'sendrecv' } as const;

/** The parts of a leg that its peer connections use. */
interface Leg {
  readonly identity: CallIdentity;
  readonly lifecycle: Lifecycle;
  readonly media: LegMedia;
  readonly stats: LegStats;
  readonly commands: CallCommands;
}

/** The peer connections of a leg, and the relay that they use. */
export interface LegPeers {
  /** The peer connections. Null before the call is established. */
  readonly current: Peers | null;
  readonly relay: {
    /** Begins with the first relay of the call. */
    use(credential: RelayCredential): void;
    /** Moves the call to another relay. */
    change(credential: RelayCredential): void;
    /** Uses another credential of the same relay. */
    renew(credential: RelayCredential): void;
  };
  /** Creates the peer connections, once the call is established. */
  create(): void;
}

/** Returns the peer connections of a leg, none yet. */
export function legPeers(leg: Leg, { platform, log }: Pick<LegDeps, 'platform' | 'log'>): LegPeers {
  let peers: Peers | null = null;
  let relay: RelayCredential | null = null;
  return {
    get current() {
      return peers;
    },
    relay: {
      use: (credential) => {
        relay = initialCredential(credential, log);
      },
      change: (credential) => {
        relay = credential;
        peers?.changeRelay(credential);
      },
      renew: (credential) => {
        relay = credential;
        peers?.renewRelay(credential);
      },
    },
    create: () => {
      const { identity, lifecycle, media, stats, commands } = leg;
      const { tracks } = media;
      if (!relay || !tracks) {
        log.error('the call was established without media or relay');
        return;
      }
      peers = new Peers({
        role: identity.role === 'dc_caller' ? 'initiator' : 'responder',
        plan: identity.isVideoCall ? [AUDIO, VIDEO] : [AUDIO],
        localTracks: tracks,
        commands,
        rtc: platform.rtc,
        clock: platform.clock,
        newId: platform.newId,
        log,
        events: {
          connected: () => lifecycle.raise('peerConnected'),
          lost: () => lifecycle.raise('peerLost'),
          remoteStream: (stream) => {
            // Another connection may carry the call now. Its statistics count from here.
            const connection = peers?.connection;
            const isMedia = media.hasRemoteStream && lifecycle.is('connected', 'reconnecting');
            if (isMedia && connection) stats.start(connection);
            media.showRemote(stream);
          },
        },
      });
      peers.create(relay);
    },
  };
}
