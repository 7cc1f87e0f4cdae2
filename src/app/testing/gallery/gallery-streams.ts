const FRAMES_A_SECOND = 10;

/** Returns a video stream of an invented user: a portrait on a canvas that sways until the scene ends. */
export async function swayingPortrait(
  url: string,
  width: number,
  height: number,
  left: AbortSignal,
): Promise<MediaStream> {
  const image = new Image();
  image.src = url;
  await image.decode();
  // The picture is rendered once, because a vector image would be rendered again for each frame.
  const scale = Math.max(width / 600, height / 800) * 1.05;
  const picture = await createImageBitmap(image, {
    resizeWidth: Math.round(600 * scale),
    resizeHeight: Math.round(800 * scale),
  });
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  let frame = 0;

  function paint(): void {
    const sway = Math.sin(frame / 10) * 8;
    context?.drawImage(picture, (width - picture.width) / 2 + sway, (height - picture.height) / 2.4);
    frame += 1;
  }

  paint();
  const stream = canvas.captureStream(FRAMES_A_SECOND);
  const swaying = setInterval(paint, 1000 / FRAMES_A_SECOND);
  left.addEventListener('abort', () => {
    clearInterval(swaying);
    for (const track of stream.getTracks()) track.stop();
  });
  return stream;
}
