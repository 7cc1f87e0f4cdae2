/** An engine of rooms that is loaded at the first endpoint: a server without rooms starts without it. */
import type { EndpointClosed, EndpointPlan, RoomMedia, RoomMediaEngine } from '../exchange/rooms/room-media.ts';
import { CallError, ErrorCode } from '../../src/protocol/errors.ts';
import type { RoomType } from '../../src/protocol/room-entities.ts';

/** An engine that is closed with its server. */
export interface ClosableEngine extends RoomMediaEngine {
  /** Closes every room, and stops. */
  close(): void;
}

export class LazyRoomMedia implements ClosableEngine {
  readonly #load: () => Promise<ClosableEngine>;
  #loading: Promise<ClosableEngine> | null = null;
  #isClosed = false;

  constructor(load: () => Promise<ClosableEngine>) {
    this.#load = load;
  }

  open(roomId: string, type: RoomType, closed?: EndpointClosed): RoomMedia {
    return new LazyRoom(async () => (await this.#engine()).open(roomId, type, closed));
  }

  close(): void {
    this.#isClosed = true;
    void this.#loading?.then(
      (engine) => engine.close(),
      // Without an engine there is nothing to close. The endpoints were refused with the reason.
      () => undefined,
    );
  }

  #engine(): Promise<ClosableEngine> {
    if (!this.#loading) {
      this.#loading = this.#load();
      // A failure may pass, such as a module that cannot be read for lack of descriptors.
      this.#loading.catch(() => {
        this.#loading = null;
      });
    }
    return this.#loading.then((engine) => {
      if (this.#isClosed) engine.close();
      return engine;
    });
  }
}

/** A room whose actions keep their order while its engine loads. */
class LazyRoom implements RoomMedia {
  readonly #load: () => Promise<RoomMedia>;
  #opening: Promise<RoomMedia> | null = null;
  #room: RoomMedia | null = null;
  #isClosed = false;

  constructor(load: () => Promise<RoomMedia>) {
    this.#load = load;
  }

  async create(plan: EndpointPlan, offer: string): Promise<string> {
    return (this.#room ?? (await this.#open())).create(plan, offer);
  }

  async negotiate(endpointId: string, offer: string): Promise<string> {
    return (this.#room ?? (await this.#open())).negotiate(endpointId, offer);
  }

  attach(endpointId: string, masterId: string): void {
    this.#act((room) => room.attach(endpointId, masterId));
  }

  detach(endpointId: string, masterId: string): void {
    this.#act((room) => room.detach(endpointId, masterId));
  }

  release(endpointId: string): void {
    this.#act((room) => room.release(endpointId));
  }

  close(): void {
    this.#isClosed = true;
    this.#act((room) => room.close());
  }

  #open(): Promise<RoomMedia> {
    if (this.#isClosed) return Promise.reject(new CallError(ErrorCode.ERR_INVALID_ROOM_PARTICIPANT));
    this.#opening ??= this.#load().then((room) => (this.#room = room));
    this.#opening.catch(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  /** Acts on the room. A room that was never opened has no endpoint to act on. */
  #act(act: (room: RoomMedia) => void): void {
    if (this.#room) act(this.#room);
    else void this.#opening?.then(act, () => undefined);
  }
}
