/** The media of rooms in virtual time: a media server of the world is the far end of every endpoint. */
import { CallError, ErrorCode } from '../../src/protocol/errors.ts';
import type { EndpointPlan, RoomMedia, RoomMediaEngine } from '../exchange/rooms/room-media.ts';
import { type OfferedSection, readRoomOffer } from '../media/room-offer.ts';
import type { ForwardedTrack } from './forwarded-track.ts';
import { VirtualCandidate } from './ice.ts';
import type { VirtualMediaServer } from './media-server.ts';
import type { VirtualPeerConnection } from './peer-connection.ts';
import { receives, reversed, sends } from './sdp.ts';

/** The port of the server for media. It has one for all endpoints. */
const PORT = 40_000;

export class VirtualRoomMediaEngine implements RoomMediaEngine {
  readonly #server: VirtualMediaServer;
  readonly #open = new Set<VirtualRoomMedia>();

  constructor(server: VirtualMediaServer) {
    this.#server = server;
  }

  open(): RoomMedia {
    const room = new VirtualRoomMedia(this.#server, () => this.#open.delete(room));
    this.#open.add(room);
    return room;
  }

  /** Closes the media of every room, as the end of the process does. */
  close(): void {
    for (const room of this.#open) room.close();
  }
}

interface Endpoint {
  readonly plan: EndpointPlan;
  /** The end of the server. */
  readonly connection: VirtualPeerConnection;
  /** The sections of the last offer. */
  sections: readonly OfferedSection[];
  /** The endpoint whose media it gets. Null before an attach. */
  source: Endpoint | null;
  /** Settles when every former negotiation has ended. */
  turn: Promise<unknown>;
}

class VirtualRoomMedia implements RoomMedia {
  readonly #server: VirtualMediaServer;
  readonly #closed: () => void;
  readonly #endpoints = new Map<string, Endpoint>();
  #isClosed = false;

  constructor(server: VirtualMediaServer, closed: () => void) {
    this.#server = server;
    this.#closed = closed;
  }

  async create(plan: EndpointPlan, offer: string): Promise<string> {
    if (this.#isClosed) throw gone();
    const sections = readRoomOffer(offer);
    const connection = this.#server.connect();
    const endpoint: Endpoint = { plan, connection, sections, source: null, turn: Promise.resolve() };
    this.#endpoints.set(plan.endpointId, endpoint);
    return this.#answerInTurn(endpoint, offer);
  }

  async negotiate(endpointId: string, offer: string): Promise<string> {
    const endpoint = this.#endpoints.get(endpointId);
    if (!endpoint) throw gone();
    return this.#answerInTurn(endpoint, offer);
  }

  attach(endpointId: string, masterId: string): void {
    const [viewer, master] = [this.#endpoints.get(endpointId), this.#endpoints.get(masterId)];
    if (!viewer || !master) return;
    this.#server.change(() => {
      viewer.source = master;
    });
  }

  detach(endpointId: string, masterId: string): void {
    const viewer = this.#endpoints.get(endpointId);
    if (viewer?.source?.plan.endpointId !== masterId) return;
    this.#server.change(() => {
      viewer.source = null;
    });
  }

  release(endpointId: string): void {
    const endpoint = this.#endpoints.get(endpointId);
    if (!endpoint) return;
    this.#server.change(() => {
      this.#endpoints.delete(endpointId);
      endpoint.connection.close();
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const id of this.#endpoints.keys()) this.release(id);
    this.#closed();
  }

  #answerInTurn(endpoint: Endpoint, offer: string): Promise<string> {
    const answered = endpoint.turn.then(() => this.#answer(endpoint, offer));
    endpoint.turn = answered.catch(() => undefined);
    return answered;
  }

  async #answer(endpoint: Endpoint, offer: string): Promise<string> {
    const { connection, plan } = endpoint;
    const sections = readRoomOffer(offer, endpoint.sections);
    try {
      await connection.setRemoteDescription({ type: 'offer', sdp: offer });
      for (const transceiver of connection.getTransceivers()) {
        const { kind, sender } = transceiver;
        transceiver.direction = reversed(plan[kind]);
        if (receives(plan[kind]) && !sender.track) await sender.replaceTrack(this.#trackFor(endpoint, kind));
      }
      const { sdp = '' } = await connection.createAnswer();
      await connection.setLocalDescription({ type: 'answer', sdp });
      endpoint.sections = sections;
      return withCandidate(sdp, connection.localUfrag, sections[0]?.mid ?? '');
    } catch (error) {
      throw connection.isClosed ? gone() : error;
    }
  }

  /** Returns the track for an endpoint: the others' sound if it also sends sound, else the media of its source. */
  #trackFor(endpoint: Endpoint, kind: 'audio' | 'video'): ForwardedTrack {
    const { participantId } = endpoint.plan;
    if (kind === 'video' || !sends(endpoint.plan[kind]))
      return this.#server.forward(kind, () => endpoint.source?.connection ?? null);
    const isHeard = ({ plan }: Endpoint) => sends(plan.audio) && plan.participantId !== participantId;
    return this.#server.mix(() => [...this.#endpoints.values()].filter(isHeard).map(({ connection }) => connection));
  }
}

/** Adds the candidate of the server to its answer. The client sends none (ADR 0027). */
function withCandidate(sdp: string, ufrag: string, mid: string): string {
  const [session = '', first = '', ...rest] = sdp.split(/^(?=m=)/m);
  const { candidate } = new VirtualCandidate('host', PORT, ufrag, mid);
  return [session, first, `a=${candidate}\r\na=end-of-candidates\r\n`, ...rest].join('');
}

const gone = () => new CallError(ErrorCode.ERR_INVALID_ROOM_PARTICIPANT);
