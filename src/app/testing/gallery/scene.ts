import type { GenderType } from '../../../protocol/product/values.ts';
import type { FakeCallingLibrary } from '../fakes/fake-calling-library.ts';
import type { FakeDevicePermissions } from '../fakes/fake-device-permissions.ts';
import type { FakeRooms } from '../fakes/fake-rooms.ts';
import type { FakePwaHost } from '../fakes/fake-pwa-host.ts';
import type { Services } from '../../services/services.ts';
import type { ComponentType } from 'react';
import type { EndpointName, ProductAnswer } from '../../../protocol/product/api.ts';
import type { RefusalCode } from '../../../protocol/product/refusals.ts';

/** One state of a screen, or of a sheet or call above it. */
export interface Scene {
  readonly path: string;
  /** The kind of answer to all other requests. Default: `data`. */
  readonly answers?: Answers;
  /** The answers to single requests, by their names in the contract. */
  readonly api?: SceneAnswers;
  /** Components of the kit that replace the screen. Default: none. */
  readonly board?: () => Promise<{ default: ComponentType }>;
  readonly visitor?: boolean;
  /** The kind of user that sees the screen. Default: a man. */
  readonly as?: GenderType;
  readonly offline?: boolean;
  /** Whether the user has never called from this device. Default: false. */
  readonly isFirstCall?: boolean;
  /** Whether the device is an iPhone. Default: false. */
  readonly isIos?: boolean;
  /** The shape of the remote picture. */
  readonly remote?: 'portrait' | 'landscape' | 'white' | 'black';
  /** Adds the rooms of the exchange before the scene is shown. The streams are those of this user and of the others. */
  rooms?(rooms: FakeRooms, streams: SceneStreams): void;
  /** Plays the scene after it is shown. The scene waits for the promise. */
  play?(stage: Stage): void | Promise<void>;
}

/** The pictures of this user and of the other users. */
export interface SceneStreams {
  readonly local?: MediaStream;
  readonly remote?: MediaStream;
}

export interface Stage {
  readonly services: Services;
  readonly library: FakeCallingLibrary;
  readonly host: FakePwaHost;
  readonly permissions: FakeDevicePermissions;
  /** Stores values as another tab does. */
  otherTab(stored: Readonly<Record<string, string>>): void;
  /** Resolves to an element of the page as soon as it exists. */
  shown(selector: string): Promise<HTMLElement>;
  /** Aborts at the end of the scene, so that the scene can undo its changes of the page. */
  readonly left: AbortSignal;
}

/** The scenes of one area by name. A name begins with what is shown. */
export type Scenes = Readonly<Record<string, Scene>>;

/** The kind of answer to requests for which the scene defines none. */
export type Answers = 'data' | 'empty' | 'loading' | 'failed';

/** A refusal by its code. `field` is the faulty field of the request. */
export interface SceneRefusal {
  readonly refused: RefusalCode;
  readonly field?: string;
}

/** An answer of a scene to one request: a body by the contract, a refusal by its code, or a kind of failure. */
type SceneAnswer<Name extends EndpointName> = ProductAnswer<Name> | SceneRefusal | 'loading' | 'failed';
export type SceneAnswers = { readonly [Name in EndpointName]?: SceneAnswer<Name> };
