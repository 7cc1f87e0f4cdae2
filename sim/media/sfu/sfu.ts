/** The engine of rooms inside the exchange's process: it forwards what clients send, without decoding it. */
import type { Clock, Timer } from '../../../src/common/clock.ts';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import type { Log } from '../../exchange/logging/log.ts';
import type { EndpointPlan, RoomMedia, RoomMediaEngine } from '../../exchange/rooms/room-media.ts';
import { type OfferedSection, readRoomOffer } from '../room-offer.ts';
import { createCertificate } from './certificate.ts';
import type { ServerCertificate } from './secure-transport.ts';
import { type EndpointSurroundings, SfuEndpoint } from './sfu-endpoint.ts';
import type { UdpSettings } from './udp-socket.ts';

export interface SfuOptions {
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly udp?: UdpSettings;
}

/** The time between two requests of missing packets, and between two reports. Milliseconds. */
const REPAIR_MS = 50;
const REPORT_MS = 1_000;

export class Sfu implements RoomMediaEngine {
  readonly #rooms = new Set<SfuRoom>();
  readonly #timers: readonly Timer[];
  readonly #surroundings: Promise<EndpointSurroundings>;
  readonly #log: Pick<Log, 'warn'>;

  constructor({ clock, log, udp = {} }: SfuOptions) {
    const certificate: Promise<ServerCertificate> = createCertificate();
    this.#surroundings = certificate.then((made) => ({ udp, certificate: made, now: () => clock.now() }));
    this.#log = log;
    this.#timers = [
      clock.every(REPAIR_MS, () => this.#each((endpoint) => endpoint.repair())),
      clock.every(REPORT_MS, () => this.#each((endpoint) => endpoint.report())),
    ];
  }

  open(roomId: string): RoomMedia {
    const room = new SfuRoom(this.#surroundings, {
      exceeded: (endpointId, what) => {
        this.#log.warn('an endpoint of a room was closed', { room_id: roomId, endpoint_id: endpointId, what });
      },
      closed: () => this.#rooms.delete(room),
    });
    this.#rooms.add(room);
    return room;
  }

  /** Closes every room, and stops. */
  close(): void {
    for (const timer of this.#timers) timer.cancel();
    for (const room of this.#rooms) room.close();
  }

  #each(act: (endpoint: SfuEndpoint) => void): void {
    for (const room of this.#rooms) for (const endpoint of room.endpoints) act(endpoint);
  }
}

interface RoomEvents {
  exceeded(endpointId: string, what: string): void;
  closed(): void;
}

/** An endpoint and what is negotiated with it. */
interface Place {
  readonly plan: EndpointPlan;
  /** Null while it opens. */
  endpoint: SfuEndpoint | null;
  /** The sections of the last offer. */
  sections: readonly OfferedSection[];
  /** The endpoint whose media it gets. Null before an attach. */
  source: Place | null;
}

class SfuRoom implements RoomMedia {
  readonly #surroundings: Promise<EndpointSurroundings>;
  readonly #events: RoomEvents;
  readonly #places = new Map<string, Place>();
  #isClosed = false;

  constructor(surroundings: Promise<EndpointSurroundings>, events: RoomEvents) {
    this.#surroundings = surroundings;
    this.#events = events;
  }

  get endpoints(): readonly SfuEndpoint[] {
    return [...this.#places.values()].flatMap(({ endpoint }) => endpoint ?? []);
  }

  async create(plan: EndpointPlan, offer: string): Promise<string> {
    if (this.#isClosed) throw gone();
    if (plan.audio === 'sendrecv') {
      throw new CallError(ErrorCode.ERR_SERVER_INTERNAL_ERROR, { message: 'This server does not mix sound yet.' });
    }
    const sections = readRoomOffer(offer);
    const place: Place = { plan, endpoint: null, sections, source: null };
    this.#places.set(plan.endpointId, place);
    const isHere = () => this.#places.get(plan.endpointId) === place;
    try {
      const exceeded = (what: string) => {
        if (!isHere()) return;
        this.release(plan.endpointId);
        this.#events.exceeded(plan.endpointId, what);
      };
      const endpoint = await SfuEndpoint.open(plan, offer, await this.#surroundings, { exceeded });
      if (!isHere()) {
        endpoint.close();
        throw gone();
      }
      place.endpoint = endpoint;
      const answer = endpoint.answer(offer);
      this.#connect(place);
      for (const viewer of this.#places.values()) if (viewer.source === place) this.#connect(viewer);
      return answer;
    } catch (error) {
      if (isHere()) this.release(plan.endpointId);
      throw error;
    }
  }

  async negotiate(endpointId: string, offer: string): Promise<string> {
    const place = this.#places.get(endpointId);
    if (!place?.endpoint) throw gone();
    const sections = readRoomOffer(offer, place.sections);
    const answer = place.endpoint.answer(offer);
    place.sections = sections;
    this.#connect(place);
    // A later offer may have a picture that the former did not have.
    for (const viewer of this.#places.values()) if (viewer.source === place) this.#connect(viewer);
    return answer;
  }

  attach(endpointId: string, masterId: string): void {
    const [viewer, master] = [this.#places.get(endpointId), this.#places.get(masterId)];
    if (!viewer || !master) return;
    viewer.source = master;
    this.#connect(viewer);
  }

  detach(endpointId: string, masterId: string): void {
    const viewer = this.#places.get(endpointId);
    if (viewer?.source?.plan.endpointId !== masterId) return;
    viewer.source = null;
    this.#connect(viewer);
  }

  release(endpointId: string): void {
    const place = this.#places.get(endpointId);
    if (!place) return;
    this.#places.delete(endpointId);
    place.endpoint?.close();
    for (const viewer of this.#places.values()) {
      if (viewer.source !== place) continue;
      viewer.source = null;
      this.#connect(viewer);
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const id of this.#places.keys()) this.release(id);
    this.#events.closed();
  }

  /** Connects the streams of a viewer with those of its source. */
  #connect({ endpoint, source }: Place): void {
    for (const [kind, stream] of endpoint?.outgoing ?? []) stream.attach(source?.endpoint?.incoming.get(kind) ?? null);
  }
}

const gone = () => new CallError(ErrorCode.ERR_INVALID_ROOM_PARTICIPANT);
