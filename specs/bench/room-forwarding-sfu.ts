/** The process of the SFU for the bench of forwarding, which measures it. It executes what its parent sends. */
import { Log } from '../../sim/exchange/logging/log.ts';
import type { EndpointPlan, RoomMedia } from '../../sim/exchange/rooms/room-media.ts';
import { Sfu } from '../../sim/media/sfu/sfu.ts';
import { nodeClock } from '../../sim/server/node-ports.ts';

const engine = new Sfu({ clock: nodeClock, log: new Log(({ message }) => console.error(message), nodeClock) });
let room: RoomMedia | null = null;

export type EngineCommand =
  | { readonly do: 'open' }
  | { readonly do: 'create'; readonly id: number; readonly plan: EndpointPlan; readonly offer: string }
  | { readonly do: 'attach'; readonly endpointId: string; readonly masterId: string }
  | { readonly do: 'close' };

process.on('message', (command: EngineCommand) => {
  if (command.do === 'open') room = engine.open('bench', 'small_room_for_video');
  else if (command.do === 'attach') room?.attach(command.endpointId, command.masterId);
  else if (command.do === 'close') room?.close();
  else {
    const { id, plan, offer } = command;
    void room?.create(plan, offer).then((answer) => process.send?.({ id, answer }));
  }
});
process.on('disconnect', () => process.exit(0));
process.send?.({ id: -1, answer: '' });
