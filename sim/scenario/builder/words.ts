/** The types of a scenario in TypeScript, derived from the schemas and from its actors and cases. */
import type * as v from 'valibot';
import type { ActionName, ActionParameters } from '../format/actions.ts';
import type { Span } from '../../format/duration.ts';
import type { MessageName } from '../format/messages.ts';
import type { ActorPath, ActorValues, ServerPath, ServerValues } from '../format/paths.ts';
import type { MEDIA_SERVER } from '../../faults/vocabulary.ts';
import type { Reference } from '../../format/reference.ts';
import type { actor, scenarioHead, EventPattern, STEPS } from '../format/tree.ts';

type Written<V extends keyof typeof STEPS> = v.InferInput<(typeof STEPS)[V]>;

/** An actor: a user, and the devices where the user is signed in. */
export interface ActorHead extends Omit<v.InferInput<typeof actor>, 'devices'> {
  readonly devices?: readonly [string, ...string[]];
}
export type Actors = Readonly<Record<string, ActorHead>>;
/** The values of one case. */
export type Case = Readonly<Record<string, unknown>>;

/** The values of a scenario without cases: none. */
export type NoCase = Readonly<Record<string, never>>;

type HeadSchema = v.InferInput<typeof scenarioHead>;

/** The head of a scenario: everything except its name and its steps. */
export interface Head<A extends Actors, C extends Case> extends Readonly<
  Omit<HeadSchema, 'scenario' | 'steps' | 'actors' | 'cases' | 'spec' | 'tags'>
> {
  readonly actors: A;
  readonly cases?: readonly C[];
  /** The requirements that its trace shows. */
  readonly spec?: readonly `${string}-${number}`[];
  readonly tags?: readonly string[];
}

/** The name of a device: bob.phone if bob has several devices, else bob. */
export type Device<A extends Actors> = {
  [N in keyof A & string]: A[N] extends { readonly devices: readonly (infer D extends string)[] } ? `${N}.${D}` : N;
}[keyof A & string];
/** The name of a device, or of a user with all devices. */
export type Name<A extends Actors> = Device<A> | (keyof A & string);

type Comparison = `${'>=' | '<=' | '>' | '<' | '!='} ${number}`;

/** An expected value: a value, a comparison, a pattern, a reference, `any`, or a map of these. */
export type Wanted<T> =
  | Reference
  | 'any'
  | (T extends readonly (infer I)[]
      ? readonly Wanted<I>[]
      : T extends object
        ? { readonly [K in keyof T]?: Wanted<T[K]> }
        : T | (T extends number ? Comparison : never) | (T extends string ? `/${string}/` : never));

/** The expected values of the actors and of the exchange, by path. */
export type Expected<A extends Actors> = {
  readonly [P in ActorPath as `${Device<A>}.${P}`]?: Wanted<ActorValues[P]>;
} & {
  readonly [P in ServerPath as `server.${P}`]?: Wanted<ServerValues[P]>;
};

/** The type of the schema, with names limited to the actors of the scenario. A reference may replace any value. */
type Named<F, A extends Actors> = F extends unknown
  ? {
      readonly [K in keyof F]: K extends 'kind'
        ? F[K]
        : K extends 'actor' | 'from' | 'to'
          ? Name<A> | Reference | (F extends { kind: 'media' } ? typeof MEDIA_SERVER : never)
          : K extends 'between'
            ? readonly [Name<A> | typeof MEDIA_SERVER, Name<A> | typeof MEDIA_SERVER]
            : K extends 'cmd'
              ? MessageName | (F extends { kind: string } ? 'any' : never) | Reference
              : F[K] | Reference;
    }
  : never;

export type Seen<A extends Actors> = Named<EventPattern, A>;
export type Broken<A extends Actors> = Named<Written<'fault'>['fault'], A>;

/** The condition of a step, and the name of the moment at which it ends. */
export interface Always {
  /** The name of the moment, for traces and for `since` in YAML. */
  readonly label?: string;
  /** `$case.stays`, `$case.end == connected`, or either after `not`. */
  readonly when?: Reference | `not ${Reference}`;
}

type Bounding<V extends 'expect' | 'see'> = Omit<Written<V>, V | 'at' | 'between' | 'since' | keyof Always> & {
  readonly at?: Span | Reference | readonly (Span | Reference)[];
  readonly between?: readonly [Span | Reference, Span | Reference];
  /** The moment that bounds count from. Default: the end of the previous step. */
  readonly since?: Moment;
} & Always;

export type ExpectBounds = Bounding<'expect'>;
export type SeeBounds = Bounding<'see'>;
export type FaultBounds = Omit<Written<'fault'>, 'fault' | keyof Always> & Always;
export type ActOptions = Omit<Written<'do'>, 'do' | 'with' | keyof Always> & Always;

/** The moment at which a step ends, for `since`. */
export interface Moment {
  /** The label of the moment in the scenario. It is generated when it is first read. */
  readonly label: string;
}
/** A fault that can be cleared. */
export interface BrokenThing extends Moment {
  readonly name: string;
}
/** A call or a room that an action returned. */
export interface Captured extends Moment {
  /** A reference to the id that the exchange assigns. */
  readonly id: Reference;
}

type Given<N extends ActionName> = N extends 'dial' | 'accept' | 'createRoom' ? Captured : Moment;

/** The actions of one device. Each call adds a step. */
export type Acting = {
  readonly [N in ActionName]: keyof ActionParameters<N> extends never
    ? (options?: ActOptions) => Given<N>
    : object extends ActionParameters<N>
      ? (parameters?: ActionParameters<N>, options?: ActOptions) => Given<N>
      : (parameters: ActionParameters<N>, options?: ActOptions) => Given<N>;
};

/** The actors by name. A user with several devices acts on one of them. */
export type ActorsOfScenario<A extends Actors> = {
  readonly [N in keyof A]: A[N] extends { readonly devices: readonly (infer D extends string)[] }
    ? { readonly [P in D]: Acting }
    : Acting;
};

/** The keys of all cases. A case may lack a key that another has. */
type KeyOf<C> = C extends NoCase ? never : C extends unknown ? keyof C & string : never;

/** The verbs that are no action of a user, and the values that are known only when the scenario runs. */
export interface StepFunctions<A extends Actors, C extends Case> {
  /** Expects these values at once, or within the bounds. */
  expect(wanted: Expected<A>, bounds?: ExpectBounds): Moment;
  /** Expects an event on the wire: a message, a request, or a channel that opens or closes. */
  see(event: Seen<A>, bounds?: SeeBounds): Moment;
  /** Forbids an event or values from here to the end. */
  never(what: Seen<A> | { readonly expect: Expected<A> }, always?: Always): Moment;
  /** Injects a fault. */
  fault(what: Broken<A>, bounds?: FaultBounds): BrokenThing;
  /** Clears a fault. */
  clear(broken: BrokenThing, always?: Always): Moment;
  /** Lets time pass. */
  wait(span: Span | Reference, always?: Always): Moment;
  /** Adds the steps of a YAML fragment, by its path from this file. */
  use(path: string): void;
  /** References to the values of the current case. */
  readonly $case: { readonly [K in KeyOf<C>]: `$case.${K}` };
  readonly $timers: { readonly ring: '$timers.ring'; readonly connection: '$timers.connection' };
}
