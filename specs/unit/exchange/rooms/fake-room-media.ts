import type { RoomType } from '../../../../src/protocol/room-entities.ts';
import type {
  EndpointClosed,
  EndpointPlan,
  RoomMedia,
  RoomMediaEngine,
} from '../../../../sim/exchange/rooms/room-media.ts';
import { SDP } from '../exchange-fixture.ts';

/** The media of rooms without any media: it answers each offer, and records what the exchange asks. */
export class FakeRoomMedia implements RoomMediaEngine {
  /** What was asked, such as `attach id-7 id-5`. */
  readonly asked: string[] = [];
  readonly plans: EndpointPlan[] = [];
  /** The rooms that are open. */
  readonly rooms = new Set<string>();
  /** The endpoints that are open. */
  readonly endpoints = new Set<string>();
  /** Resolves the next answer. Default: at once. */
  answer: () => Promise<string> = () => Promise.resolve(SDP);

  /** Closes an endpoint like a media server whose client sends too much. */
  lose: EndpointClosed = () => undefined;

  open(roomId: string, type: RoomType, closed?: EndpointClosed): RoomMedia {
    if (closed) this.lose = closed;
    this.asked.push(`open ${roomId} ${type}`);
    this.rooms.add(roomId);
    const mine = new Set<string>();
    return {
      create: (plan) => {
        this.asked.push(`create ${plan.endpointId}`);
        this.plans.push(plan);
        mine.add(plan.endpointId);
        this.endpoints.add(plan.endpointId);
        return this.answer();
      },
      negotiate: (endpointId) => {
        this.asked.push(`negotiate ${endpointId}`);
        return this.answer();
      },
      attach: (endpointId, masterId) => void this.asked.push(`attach ${endpointId} ${masterId}`),
      detach: (endpointId, masterId) => void this.asked.push(`detach ${endpointId} ${masterId}`),
      release: (endpointId) => {
        this.asked.push(`release ${endpointId}`);
        this.endpoints.delete(endpointId);
      },
      close: () => {
        this.asked.push(`close ${roomId}`);
        this.rooms.delete(roomId);
        for (const id of mine) this.endpoints.delete(id);
      },
    };
  }
}
