import { each, forGood, type Mend } from '../../../faults/inject-fault.ts';
import { type Selection, selector } from '../../../faults/selection.ts';
import type { FaultOf } from '../../../faults/vocabulary.ts';
import { spanOf } from '../../../format/duration.ts';
import type { FaultPlace } from './place.ts';

/** Breaks one node, or its connection to the shared state. */
export function breakNode(fault: FaultOf<'node'>, { world }: FaultPlace): Mend {
  const { nodes, state } = world.exchange;
  return each(
    nodes.filter(({ name }) => name === fault.of),
    (node) => {
      const ms = (spanOf(fault.by) ?? 0) * (fault.back === true ? -1 : 1);
      switch (fault.how) {
        case 'crash':
          node.kill();
          node.resetLinks();
          return () => node.start();
        case 'restart':
          node.stop();
          return () => void node.restart();
        case 'drain':
          node.drain();
          return () => void node.restart();
        case 'pause':
          node.pause();
          return () => node.resume();
        case 'cut-off':
          state?.cutOff(node.name);
          return () => state?.reconnect(node.name);
        case 'clock-skew':
          node.clock.skew(ms);
          return () => node.clock.skew(-ms);
        case 'clock-drift':
          node.clock.drift(ms);
          return () => node.clock.drift(0);
        default:
          return fault.how satisfies never;
      }
    },
  );
}

/** Breaks the shared state of the nodes. */
export function breakState(fault: FaultOf<'state'>, { world }: FaultPlace): Mend {
  const { state } = world.exchange;
  if (!state) return forGood;
  switch (fault.how) {
    case 'down':
    case 'wipe':
      state.setDown(true);
      if (fault.how === 'wipe') state.lose();
      return () => state.setDown(false);
    case 'slow':
      state.setSlowness(spanOf(fault.by) ?? 0);
      return () => state.setSlowness(0);
    default:
      return fault.how satisfies never;
  }
}

/** Breaks messages of the bus between nodes. */
export function breakBus({ how, from, to, by }: FaultOf<'bus'>, place: FaultPlace, selection: Selection): Mend {
  const isSelected = selector(selection, place.random);
  const fate = how === 'delay' ? { delayMs: spanOf(by) ?? 0 } : how;
  const remove = place.world.exchange.state?.addBusRule((sender, receiver) => {
    const concerns = (from === undefined || sender === from) && (to === undefined || receiver === to);
    return concerns && isSelected() ? fate : undefined;
  });
  return remove ?? forGood;
}
