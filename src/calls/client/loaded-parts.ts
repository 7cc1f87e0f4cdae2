import { loadedPart } from '../../common/lazy-part.ts';
import * as logText from '../logging/log-text.ts';
import * as rooms from '../room/rooms-part.ts';
import type { LazyParts } from './lazy-parts.ts';

/** Returns the parts of a program that has loaded all of them, as the terminal and the virtual world have. */
export const loadedParts = (): LazyParts => ({ logText: loadedPart(logText), rooms: loadedPart(rooms) });
