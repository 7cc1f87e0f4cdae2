/** The media of rooms on Janus servers (docs/adr/0029-janus.md). */
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import type { RoomType } from '../../../src/protocol/room-entities.ts';
import type { Clock } from '../../../src/common/clock.ts';
import type { Log } from '../../exchange/logging/log.ts';
import type { EndpointPlan, RoomMedia } from '../../exchange/rooms/room-media.ts';
import type { ClosableEngine } from '../lazy-room-media.ts';
import { type OfferedSection, readRoomOffer } from '../room-offer.ts';
import { JANUS_TIMES, JanusError, type JanusTimes } from './connection.ts';
import { type Link, SenderLink, SplitLink, ViewerLink } from './links.ts';
import type { RoomPlace } from './room-place.ts';
import { JanusServer } from './server.ts';

export interface JanusOptions {
  /** The addresses of the servers, `ws:` or `wss:`. */
  readonly urls: readonly string[];
  /** The secret of Janus's API. Null without one. */
  readonly secret: string | null;
  /** A name that the exchange has at each start, unlike every other exchange with these servers. */
  readonly owner: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly times?: Partial<JanusTimes>;
}

/** The setting, as logs name it. */
const SETTING = 'JANUS_URL';

/** Forwards the media of rooms by Janus servers. A room is on one server, which is that with the least load. */
export class JanusRoomMediaEngine implements ClosableEngine {
  readonly #servers: readonly JanusServer[];
  readonly #rooms = new Set<JanusRoomMedia>();
  readonly #log: Log;

  constructor({ urls, secret, owner, clock, log, times }: JanusOptions) {
    this.#log = log;
    this.#servers = urls.map((url, at) => {
      const name = `Janus server ${at + 1} of ${urls.length} (${SETTING})`;
      const all = { ...JANUS_TIMES, ...times };
      return new JanusServer({ name, url, secret, owner: `ringback ${owner}`, clock, log, times: all });
    });
  }

  /** Connects to the servers. Resolves when each has answered or failed. One that fails is tried again later. */
  async start(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.start()));
  }

  /** Whether a server can be used. */
  get isUp(): boolean {
    return this.#servers.some(({ isUp }) => isUp);
  }

  open(_roomId: string, type: RoomType): RoomMedia {
    const room = new JanusRoomMedia({
      type,
      log: this.#log,
      choose: () => this.#choose(),
      closed: () => this.#rooms.delete(room),
    });
    this.#rooms.add(room);
    return room;
  }

  /** Closes every room and every connection. */
  close(): void {
    for (const room of this.#rooms) room.close();
    for (const server of this.#servers) server.close();
  }

  /** Returns the servers for a room, the best first. */
  async #choose(): Promise<readonly JanusServer[]> {
    if (!this.isUp) await Promise.all(this.#servers.map((server) => server.tried()));
    return this.#servers.filter(({ isUp }) => isUp).toSorted((one, other) => one.load - other.load);
  }
}

interface RoomOptions {
  readonly type: RoomType;
  readonly log: Log;
  readonly choose: () => Promise<readonly JanusServer[]>;
  readonly closed: () => void;
}

/** A room on its server. */
interface Placed {
  readonly server: JanusServer;
  readonly place: RoomPlace;
}

interface Endpoint {
  readonly plan: EndpointPlan;
  /** The sections of the last offer. */
  sections: readonly OfferedSection[];
  /** The endpoint whose media it gets. Null before an attach. */
  source: Endpoint | null;
  /** Null until Janus has made it. */
  link: Link | null;
  at: Placed | null;
  isReleased: boolean;
  /** Settles when every former negotiation has ended. */
  turn: Promise<unknown>;
}

class JanusRoomMedia implements RoomMedia {
  readonly #options: RoomOptions;
  readonly #endpoints = new Map<string, Endpoint>();
  #placed: Promise<Placed> | null = null;
  #isClosed = false;

  constructor(options: RoomOptions) {
    this.#options = options;
  }

  async create(plan: EndpointPlan, offer: string): Promise<string> {
    if (this.#isClosed) throw gone();
    const sections = readRoomOffer(offer);
    const endpoint: Endpoint = {
      ...{ plan, sections, source: null, link: null, at: null },
      ...{ isReleased: false, turn: Promise.resolve() },
    };
    this.#endpoints.set(plan.endpointId, endpoint);
    try {
      return await this.#inTurn(endpoint, () => this.#make(endpoint, offer));
    } catch (error) {
      if (this.#endpoints.get(plan.endpointId) === endpoint) this.release(plan.endpointId);
      throw this.#refusal(error);
    }
  }

  async negotiate(endpointId: string, offer: string): Promise<string> {
    const endpoint = this.#endpoints.get(endpointId);
    if (!endpoint) throw gone();
    try {
      return await this.#inTurn(endpoint, async () => {
        const sections = readRoomOffer(offer, endpoint.sections);
        const answer = await this.#answer(endpoint, offer);
        endpoint.sections = sections;
        this.#feedChanged(endpoint);
        return answer;
      });
    } catch (error) {
      throw this.#refusal(error);
    }
  }

  attach(endpointId: string, masterId: string): void {
    const [viewer, master] = [this.#endpoints.get(endpointId), this.#endpoints.get(masterId)];
    if (!viewer || !master) return;
    viewer.source = master;
    this.#watch(viewer);
  }

  detach(endpointId: string, masterId: string): void {
    const viewer = this.#endpoints.get(endpointId);
    if (viewer?.source?.plan.endpointId !== masterId) return;
    viewer.source = null;
    this.#watch(viewer);
  }

  release(endpointId: string): void {
    const endpoint = this.#endpoints.get(endpointId);
    if (!endpoint) return;
    this.#endpoints.delete(endpointId);
    endpoint.isReleased = true;
    const viewers = this.#viewersOf(endpoint);
    for (const viewer of viewers) {
      viewer.source = null;
      this.#watch(viewer);
    }
    // The viewers leave first: Janus would offer to them again after the end of a publisher that they have.
    void Promise.all(viewers.map(async ({ link }) => link?.settled())).then(() => this.#drop(endpoint));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const endpoint of this.#endpoints.values()) {
      endpoint.isReleased = true;
      this.#drop(endpoint);
    }
    this.#endpoints.clear();
    this.#placed?.then(({ server, place }) => server.forget(place)).catch(() => undefined);
    this.#options.closed();
  }

  /** Makes an endpoint on the server of the room. A server that dies meanwhile is replaced by another one. */
  async #make(endpoint: Endpoint, offer: string): Promise<string> {
    for (;;) {
      this.#requireOpen(endpoint);
      const at = await this.#place();
      try {
        this.#requireOpen(endpoint);
        const link = await this.#link(endpoint, at.place);
        if (endpoint.isReleased) link.close();
        this.#requireOpen(endpoint);
        endpoint.link = link;
        endpoint.at = at;
        at.server.endpoints += 1;
        const answer = await this.#answer(endpoint, offer);
        this.#watch(endpoint);
        this.#feedChanged(endpoint);
        return answer;
      } catch (error) {
        if (error instanceof JanusError && NO_ROOM.has(error.code)) at.place.isRemoved = true;
        if (endpoint.isReleased || !at.place.isLost) throw error;
        this.#drop(endpoint);
      }
    }
  }

  async #answer(endpoint: Endpoint, offer: string): Promise<string> {
    const { link, at } = endpoint;
    if (!link || !at || at.place.isLost) throw gone();
    try {
      return await link.negotiate(offer);
    } catch (error) {
      throw at.place.isLost ? gone() : error;
    } finally {
      this.#requireOpen(endpoint);
    }
  }

  /** Returns the server of the room. The room moves when that is lost. @throws JanusError when no server answers. */
  async #place(): Promise<Placed> {
    for (;;) {
      const placed = (this.#placed ??= this.#open());
      const isOver = () => {
        if (this.#placed === placed) this.#placed = null;
      };
      try {
        const found = await placed;
        if (!found.place.isLost) return found;
        isOver();
      } catch (error) {
        isOver();
        throw error;
      }
    }
  }

  async #open(): Promise<Placed> {
    let last: unknown = new JanusError('no server is up');
    for (const server of await this.#options.choose()) {
      try {
        const place = await server.open(this.#options.type);
        if (this.#isClosed) server.forget(place);
        return { server, place };
      } catch (error) {
        last = error;
      }
    }
    throw last;
  }

  #link({ plan }: Endpoint, place: RoomPlace): Promise<Link> {
    const changed = () => this.#feedChanged(this.#endpoints.get(plan.endpointId));
    const isMixed = plan.audio === 'sendrecv';
    if (isMixed && plan.video === 'sendonly') return SplitLink.open(place, changed);
    if (isMixed) return SenderLink.mixed(place);
    if (plan.audio === 'sendonly' || plan.video === 'sendonly') return SenderLink.publisher(place, changed);
    return ViewerLink.open(place);
  }

  #viewersOf(master: Endpoint): Endpoint[] {
    return [...this.#endpoints.values()].filter(({ source }) => source === master);
  }

  #feedChanged(master: Endpoint | undefined): void {
    if (master) for (const viewer of this.#viewersOf(master)) this.#watch(viewer);
  }

  /** Makes Janus send the source of a viewer. A source on a former server of the room sends nothing. */
  #watch({ link, at, source }: Endpoint): void {
    link?.watch(source && source.at?.place === at?.place ? (source.link?.feed ?? null) : null);
  }

  #drop(endpoint: Endpoint): void {
    endpoint.link?.close();
    if (endpoint.at) endpoint.at.server.endpoints -= 1;
    endpoint.link = null;
    endpoint.at = null;
  }

  #requireOpen({ isReleased }: Endpoint): void {
    if (isReleased || this.#isClosed) throw gone();
  }

  #inTurn<T>(endpoint: Endpoint, run: () => Promise<T>): Promise<T> {
    const ran = endpoint.turn.then(run);
    endpoint.turn = ran.catch(() => undefined);
    return ran;
  }

  /** Returns the error for the client. A failure of Janus is logged. */
  #refusal(error: unknown): CallError {
    if (error instanceof CallError) return error;
    if (error instanceof JanusError && REFUSED_OFFER.has(error.code)) {
      return new CallError(ErrorCode.ERR_MALFORMED_DATA, { message: 'the media server cannot read the offer' });
    }
    this.#options.log.error('the media of a room failed', { error });
    return new CallError(ErrorCode.ERR_SERVER_INTERNAL_ERROR, { message: 'The media server does not answer.' });
  }
}

/**
 * The codes of Janus for an offer that it cannot read: of its core (apierror.h), of the video room (431, 437) and of the
 * audio bridge (493).
 */
const REFUSED_OFFER: ReadonlySet<number | null> = new Set([464, 465, 431, 437, 493]);
/** The codes of both plugins for a room that another client of Janus has removed. */
const NO_ROOM: ReadonlySet<number | null> = new Set([426, 485]);

const gone = () => new CallError(ErrorCode.ERR_INVALID_ROOM_PARTICIPANT);
