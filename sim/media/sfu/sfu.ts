/**
 * The engine of rooms inside the exchange's process: it forwards what clients send, without decoding it. A mixer in
 * another process mixes the sound of large rooms. It is a client of the room like the others.
 */
import { randomUUID } from 'node:crypto';
import type { Clock, Timer } from '../../../src/common/clock.ts';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import type { RoomType } from '../../../src/protocol/room-entities.ts';
import type { Log } from '../../exchange/logging/log.ts';
import type { EndpointClosed, EndpointPlan, RoomMedia, RoomMediaEngine } from '../../exchange/rooms/room-media.ts';
import { PACKET_RATES } from '../../budgets/media-budgets.ts';
import { Mixer } from '../mixer/mixer.ts';
import { type OfferedSection, readRoomOffer } from '../room-offer.ts';
import { createCertificate } from './certificate.ts';
import type { EndpointBudget, ServerCertificate } from './secure-transport.ts';
import { type EndpointSurroundings, SfuEndpoint } from './sfu-endpoint.ts';
import { NoFreePort, type UdpSettings } from './udp-socket.ts';

export interface SfuOptions {
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn' | 'error'>;
  readonly udp?: UdpSettings;
  /** What clients may send. Default: PACKET_RATES. */
  readonly budget?: EndpointBudget;
}

/** The time between two requests of missing packets, and between two reports. Milliseconds. */
const REPAIR_MS = 50;
const REPORT_MS = 1_000;

const MIXED: readonly RoomType[] = ['large_room_for_audio_only', 'large_room_for_video'];
/** The mixer sends a mix, and gets a voice. */
const VOICE = { audio: 'sendrecv', video: 'inactive' } as const;

export class Sfu implements RoomMediaEngine {
  readonly mixer: Mixer;
  readonly #rooms = new Set<SfuRoom>();
  readonly #timers: readonly Timer[];
  readonly #surroundings: Promise<EndpointSurroundings>;
  readonly #log: Pick<Log, 'warn' | 'error'>;

  constructor({ clock, log, udp = {}, budget = PACKET_RATES }: SfuOptions) {
    const certificate: Promise<ServerCertificate> = createCertificate();
    this.#surroundings = certificate.then((made) => ({ udp, certificate: made, budget, now: () => clock.now() }));
    this.#log = log;
    this.mixer = new Mixer({ clock, log });
    this.#timers = [
      clock.every(REPAIR_MS, () => this.#each((endpoint) => endpoint.repair())),
      clock.every(REPORT_MS, () => this.#each((endpoint) => endpoint.report())),
    ];
  }

  open(roomId: string, type: RoomType, closed?: EndpointClosed): RoomMedia {
    if (MIXED.includes(type)) this.mixer.start();
    const room = new SfuRoom(
      { surroundings: this.#surroundings, mixer: this.mixer },
      {
        exceeded: (endpointId, what) => {
          this.#log.warn('an endpoint of a room was closed', { room_id: roomId, endpoint_id: endpointId, what });
        },
        lost: (endpointId) => closed?.(endpointId),
        closed: () => this.#rooms.delete(room),
      },
    );
    this.#rooms.add(room);
    return room;
  }

  /** Closes every room, and stops. */
  close(): void {
    for (const timer of this.#timers) timer.cancel();
    for (const room of this.#rooms) room.close();
    this.mixer.close();
  }

  #each(act: (endpoint: SfuEndpoint) => void): void {
    for (const room of this.#rooms) for (const endpoint of room.endpoints) act(endpoint);
  }
}

interface RoomEvents {
  exceeded(endpointId: string, what: string): void;
  /** The room has closed an endpoint by itself. */
  lost(endpointId: string): void;
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
  /** The end of its voice towards the mixer. Null before the mixer has connected, and for a place without a voice. */
  voice: SfuEndpoint | null;
}

interface Engine {
  readonly surroundings: Promise<EndpointSurroundings>;
  readonly mixer: Mixer;
}

class SfuRoom implements RoomMedia {
  /** Names the room for the mixer, and its voices. The ids of endpoints are unique in a room only. */
  readonly #name = randomUUID();
  readonly #engine: Engine;
  readonly #events: RoomEvents;
  readonly #places = new Map<string, Place>();
  #isClosed = false;

  constructor(engine: Engine, events: RoomEvents) {
    this.#engine = engine;
    this.#events = events;
  }

  get endpoints(): readonly SfuEndpoint[] {
    return [...this.#places.values()].flatMap(({ endpoint, voice }) => [endpoint ?? [], voice ?? []].flat());
  }

  async create(plan: EndpointPlan, offer: string): Promise<string> {
    if (this.#isClosed) throw gone();
    const sections = readRoomOffer(offer);
    const place: Place = { plan, endpoint: null, sections, source: null, voice: null };
    this.#places.set(plan.endpointId, place);
    const isHere = () => this.#places.get(plan.endpointId) === place;
    try {
      const exceeded = (what: string) => {
        if (!isHere()) return;
        this.release(plan.endpointId);
        this.#events.exceeded(plan.endpointId, what);
        this.#events.lost(plan.endpointId);
      };
      const endpoint = await SfuEndpoint.open(plan, offer, await this.#engine.surroundings, { exceeded });
      if (!isHere()) {
        endpoint.close();
        throw gone();
      }
      place.endpoint = endpoint;
      const answer = endpoint.answer(offer);
      this.#connect(place);
      for (const viewer of this.#places.values()) if (viewer.source === place) this.#connect(viewer);
      if (plan.audio === 'sendrecv') this.#mix(place);
      return answer;
    } catch (error) {
      if (isHere()) this.release(plan.endpointId);
      if (!(error instanceof NoFreePort)) throw error;
      throw new CallError(ErrorCode.ERR_SERVER_INTERNAL_ERROR, { message: error.message });
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
    this.#engine.mixer.remove(this.#voiceOf(place));
    place.voice?.close();
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

  /** Connects the streams of a place with those of its source, and its sound with the mixer. */
  #connect({ plan, endpoint, source, voice }: Place): void {
    for (const [kind, stream] of endpoint?.outgoing ?? []) {
      const from = kind === 'audio' && plan.audio === 'sendrecv' ? voice : (source?.endpoint ?? null);
      stream.attach(from?.incoming.get(kind) ?? null);
    }
    voice?.outgoing.get('audio')?.attach(endpoint?.incoming.get('audio') ?? null);
  }

  #voiceOf({ plan }: Place): string {
    return `${this.#name} ${plan.endpointId}`;
  }

  /** Adds the voice of a place to the mix of the room. */
  #mix(place: Place): void {
    const { endpointId, participantId } = place.plan;
    this.#engine.mixer.add(this.#voiceOf(place), {
      room: this.#name,
      connect: async (offer) => {
        const plan = { endpointId, participantId, ...VOICE };
        // The mixer is on this machine, whatever addresses clients get.
        const surroundings = { ...(await this.#engine.surroundings), udp: {} };
        const exceeded = (what: string) => this.#events.exceeded(endpointId, `the mixer: ${what}`);
        const voice = await SfuEndpoint.open(plan, offer, surroundings, { exceeded });
        if (this.#places.get(endpointId) !== place) {
          voice.close();
          throw gone();
        }
        place.voice?.close();
        place.voice = voice;
        const answer = voice.answer(offer);
        this.#connect(place);
        return answer;
      },
      lost: () => {
        place.voice?.close();
        place.voice = null;
        this.#connect(place);
      },
    });
  }
}

const gone = () => new CallError(ErrorCode.ERR_INVALID_ROOM_PARTICIPANT);
