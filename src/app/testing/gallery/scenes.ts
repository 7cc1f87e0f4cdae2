import type { Scene, Scenes } from './scene.ts';
import { beforeCallScenes } from './scenes/before-call-scenes.ts';
import { callScenes } from './scenes/call-scenes.ts';
import { chatScenes } from './scenes/chat-scenes.ts';
import { giftsScenes } from './scenes/gifts-scenes.ts';
import { kitScenes } from './scenes/kit-scenes.ts';
import { peopleScenes } from './scenes/people-scenes.ts';
import { pointsScenes } from './scenes/points-scenes.ts';
import { recordsScenes } from './scenes/records-scenes.ts';
import { roomScenes } from './scenes/room-scenes.ts';
import { settingsScenes } from './scenes/settings-scenes.ts';
import { shellScenes } from './scenes/shell-scenes.ts';
import { verificationScenes } from './scenes/verification-scenes.ts';
import { thisDeviceScenes } from './scenes/this-device-scenes.ts';
import { visitorScenes } from './scenes/visitor-scenes.ts';
import { walletScenes } from './scenes/wallet-scenes.ts';

/** Every scene of every area. Two areas cannot use the same name. */
export const scenes: Readonly<Record<string, Scene>> = gathered([
  visitorScenes,
  peopleScenes,
  chatScenes,
  giftsScenes,
  walletScenes,
  recordsScenes,
  pointsScenes,
  verificationScenes,
  settingsScenes,
  beforeCallScenes,
  callScenes,
  roomScenes,
  thisDeviceScenes,
  shellScenes,
  kitScenes,
]);

function gathered(areas: readonly Scenes[]): Record<string, Scene> {
  const all: Record<string, Scene> = {};
  for (const [name, scene] of areas.flatMap((area) => Object.entries(area))) {
    if (name in all) throw new Error(`Two scenes are named ${name}`);
    all[name] = scene;
  }
  return all;
}
