/** The hooks of devices. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type DevicesView,
  type SeenDevices,
  StreamVideo,
  useDevicePreview,
  useDevices,
} from '../../../src/react/index.ts';
import { elementsOf, openPage } from './support/page.tsx';
import { startedStage } from './support/stage.tsx';

let page: ReturnType<typeof openPage>;
beforeEach(() => void (page = openPage()));
afterEach(() => page.close());

it('useDevices lists the devices, switches to another one, and follows the browser', async () => {
  const { library, within, logger } = await startedStage();
  let seen: DevicesView | undefined;
  function Reader() {
    seen = useDevices();
    return null;
  }
  const { act } = await page.mount(within(<Reader />));
  const { microphone, camera } = seen?.lists ?? {};
  expect(microphone?.options.map(({ name }) => name)).toEqual(['內建麥克風', '藍牙耳機']);
  expect([microphone?.current, camera?.current]).toEqual(['audioinput-0', 'videoinput-0']);
  await act(() => seen?.choose('microphone', 'audioinput-1'));
  expect(seen?.lists.microphone.current).toBe('audioinput-1');
  library.devices.videoinput.available = [];
  await act(() => library.listener?.onVideoInputDeviceChanged());
  expect(seen?.lists.camera.options).toEqual([]);
  library.devices.audiooutput.open = () => Promise.reject(new Error('unplugged'));
  await act(() => seen?.choose('speaker', 'audiooutput-1'));
  expect([seen?.lists.speaker.current, logger.of('warn')]).toEqual(['audiooutput-0', ['the speaker was not changed']]);
});

it('useDevices reads the devices as soon as the session is connected', async () => {
  const { ringback, within } = await startedStage();
  ringback.stop();
  let seen: DevicesView | undefined;
  function Reader() {
    seen = useDevices();
    return null;
  }
  const { act } = await page.mount(within(<Reader />));
  expect(seen?.lists.microphone.options).toEqual([]);
  await act(() => ringback.start());
  expect(seen?.lists.microphone.options).toHaveLength(2);
});

it('useDevicePreview opens the devices while it is mounted, and again after the session has restarted', async () => {
  const { library, ringback, within } = await startedStage();
  library.ownStream = { id: 'own' } as MediaStream;
  library.ownMissing = [{ kind: 'video', reason: 'NotAllowedError' }];
  let seen: SeenDevices | null | undefined;
  function Reader({ wanted }: { wanted: { camera: boolean } | null }) {
    seen = useDevicePreview(wanted);
    return null;
  }
  const { act, render, unmount } = await page.mount(within(<Reader wanted={{ camera: true }} />));
  expect(seen).toEqual({ stream: { id: 'own' }, missing: { camera: 'denied' } });
  expect(library.looks).toEqual([{ audio: true, video: true }]);
  await render(within(<Reader wanted={{ camera: false }} />));
  expect(library.looks).toEqual([{ audio: true, video: false }]);
  await render(within(<Reader wanted={null} />));
  expect([library.looks, seen]).toEqual([[], null]);
  await render(within(<Reader wanted={{ camera: false }} />));
  ringback.stop();
  expect(library.looks).toEqual([]);
  await act(() => ringback.start());
  expect(library.looks).toEqual([{ audio: true, video: false }]);
  await unmount();
  expect(library.looks).toEqual([]);
  await ringback.start();
  expect(library.looks).toEqual([]);
});

it('StreamVideo shows a stream while it is mounted', async () => {
  const [first, second] = [{}, {}] as MediaStream[];
  const { root, render, unmount } = await page.mount(<StreamVideo stream={first ?? null} />);
  const [video] = elementsOf(root, 'video');
  expect(video?.srcObject).toBe(first);
  await render(<StreamVideo stream={second ?? null} />);
  expect(video?.srcObject).toBe(second);
  await unmount();
  expect(video?.srcObject).toBeNull();
});
