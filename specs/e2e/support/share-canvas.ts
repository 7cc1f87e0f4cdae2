/** Runs in the page: replaces the shared screen by a canvas of this size. */
export function shareCanvas([width, height]: readonly [number, number]): void {
  navigator.mediaDevices.getDisplayMedia = () => {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width, height });
    const context = canvas.getContext('2d');
    let frame = 0;
    const stream = canvas.captureStream(15);
    const timer = setInterval(() => {
      if (stream.getTracks().every((track) => track.readyState === 'ended')) clearInterval(timer);
      frame += 1;
      if (context !== null) context.fillStyle = frame % 2 === 0 ? '#246' : '#642';
      context?.fillRect(0, 0, width, height);
    }, 60);
    return Promise.resolve(stream);
  };
}
