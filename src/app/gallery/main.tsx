import '../design/tokens.css';
import '../design/base.css';
import '../first-picture/first-picture.css';
import { createRoot } from 'react-dom/client';
import { readAsked } from './asked.ts';
import { type ShownScene, showScene } from './show-scene.tsx';
import { scenes } from './scenes.ts';

/**
 * `?scene=home&locale=en&theme=light` shows one scene; without a scene there is a list of them. `#scene=chat-list` puts another in
 * its place, and `#theme=dark` only changes how it looks: what played on stays. `<html data-scene>` names what is there and at rest.
 */
async function follow(root: HTMLElement, present: ShownScene | null): Promise<ShownScene | null> {
  const asked = readAsked(location);
  if (present?.name === asked.scene) {
    present.look(asked);
    return present;
  }
  delete document.documentElement.dataset['scene'];
  present?.leave();
  if (!(asked.scene in scenes)) {
    createRoot(root).render(<Contents />);
    return null;
  }
  const next = await showScene(root, asked);
  document.documentElement.dataset['scene'] = next.name;
  return next;
}

function Contents() {
  return (
    <ul style={{ columns: '16em', padding: 24 }}>
      {Object.keys(scenes).map((name) => (
        <li key={name}>
          <a href={`?scene=${name}`}>{name}</a>
        </li>
      ))}
    </ul>
  );
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
let present = follow(root, null);
addEventListener('hashchange', () => {
  present = present.then((scene) => follow(root, scene));
});
