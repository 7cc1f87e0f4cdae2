/** The injection of faults in a world. Each world has one injector for each kind of fault. */
import type { FaultEngine } from './fault-engine.ts';
import { type MessageFault, messageRule } from './message-rule.ts';
import type { Selection } from './selection.ts';
import { affectsMessages, type FaultKind, type FaultOf } from './vocabulary.ts';

/** A function that ends a fault. */
export type Mend = () => void;

/** The place where faults are injected: what every world has. */
export interface FaultSite {
  /** The engine that carries the messages of the world. */
  readonly messages: Pick<FaultEngine, 'add'>;
  /** The random numbers of this fault only: another fault does not change them. */
  readonly random: () => number;
}

/** A fault of one of these kinds. It keeps the kind, so that the compiler pairs the fault with its injector. */
type AnyFault<K extends FaultKind> = { [P in K]: { readonly kind: P } & FaultOf<P> }[K];

/** Injects a fault of one kind. Returns the function that ends it, or what the world returns for a variant it lacks. */
export type Injector<K extends FaultKind, Site, Result> = (
  fault: FaultOf<K>,
  site: Site,
  selection: Selection,
) => Result;

/**
 * The injectors of a world. A new kind of fault does not compile before each world has an injector for it, or
 * {@link notInThisWorld}.
 */
export type FaultTarget<Site, Result extends Mend | undefined = Mend> = {
  readonly [K in FaultKind]: Injector<K, Site, Result>;
};

/** The injector for a kind of fault that a world cannot inject. */
export const notInThisWorld = (): undefined => undefined;

/** Returns whether the world can inject faults of this kind. */
export const canInject = (target: FaultTarget<never, Mend | undefined>, kind: FaultKind): boolean =>
  target[kind] !== notInThisWorld;

const addRule = (fault: MessageFault, { messages, random }: FaultSite, selection: Selection): Mend =>
  messages.add(messageRule(fault, selection, { random }));

/** The injectors for faults of messages, which every world has. */
export const MESSAGE_FAULTS = {
  drop: addRule,
  delay: addRule,
  duplicate: addRule,
  reorder: addRule,
  replay: addRule,
  corrupt: addRule,
  truncate: addRule,
  'wrong-request-id': addRule,
  refuse: addRule,
} as const satisfies { readonly [K in MessageFault['kind']]: Injector<K, FaultSite, Mend> };

/** The end of a permanent fault: it does nothing. */
export const forGood: Mend = () => undefined;

/** Applies a fault to each device. Returns the function that ends all of them. */
export function each<Device>(devices: Iterable<Device>, harm: (device: Device) => Mend): Mend {
  const mendings = Array.from(devices, harm);
  return () => mendings.forEach((mend) => mend());
}

/** Injects a fault. Returns the function that ends it. */
export function injectFault<K extends FaultKind, Site extends FaultSite, Result extends Mend | undefined>(
  fault: AnyFault<K>,
  selection: Selection,
  { site, target }: { readonly site: Site; readonly target: FaultTarget<Site, Result> },
): Result | Mend {
  // A fault without messages draws its probability once, not for each message.
  if (!affectsMessages(fault.kind) && selection.p !== undefined && site.random() >= selection.p) return forGood;
  return target[fault.kind](fault, site, selection);
}
