/**
 * Measures the media of two rooms, through a real exchange with its media server.
 *
 * - A room of six with video: three participants in Chromium, three in terminals. Each must see the moving marker of
 *   every other one, and hear its tone.
 * - A large room for audio, of 30 by default: each must hear the tones of all others in the mix, and not its own.
 *
 * Exits with 1 when something is missing. Thirty participants of a large room use about 1.7 processor cores. With less,
 * the mix has gaps, which spread each tone into the bins of the others.
 *
 * Usage: rooms.bench.ts [seconds] [participants of the large room]
 */
import { startSim } from '../../sim/server/start-sim.ts';
import { measureMixRoom } from './room-media/mix-room.ts';
import { measureVideoRoom } from './room-media/video-room.ts';

const SECONDS = Number(process.argv[2] ?? 60);
const VOICES = Number(process.argv[3] ?? 30);

const sim = await startSim({ demo: true, port: 0 });
try {
  console.log(`small_room_for_video, ${SECONDS} s: a row for each receiver, a column for each sender`);
  const missing = await measureVideoRoom(sim.url, SECONDS * 1_000);
  console.log(`large_room_for_audio_only, ${SECONDS} s: a row for each receiver`);
  missing.push(...(await measureMixRoom(sim.url, VOICES, SECONDS * 1_000)));
  for (const line of missing) console.log(line);
  process.exitCode = missing.length === 0 ? 0 : 1;
} finally {
  await sim.close();
}
