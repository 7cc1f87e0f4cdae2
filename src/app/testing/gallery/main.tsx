import '../../../ui/design/tokens.css';
import '../../../ui/design/base.css';
import '../../routes/first-picture/first-picture.css';
import { createRoot } from 'react-dom/client';
import { readAsked } from './asked.ts';
import { type ShownScene, showScene } from './show-scene.tsx';
import { scenes } from './scenes.ts';

/**
 * Shows the scene that the address selects. `?scene=home&locale=en&theme=light` is one scene. An address without a
 * scene shows the list of scenes. `#scene=chat-list` replaces the scene. `#theme=dark` changes the look of the present
 * scene and keeps its state. `<html data-scene>` names the scene that is shown and at rest. It is empty for the list.
 */
async function follow(root: HTMLElement, present: ShownScene | null): Promise<ShownScene> {
  const asked = readAsked(location);
  if (present?.name === asked.scene) {
    present.look(asked);
    return present;
  }
  delete document.documentElement.dataset['scene'];
  present?.leave();
  const next = asked.scene in scenes ? await showScene(root, asked) : showContents(root);
  document.documentElement.dataset['scene'] = next.name;
  return next;
}

function showContents(root: HTMLElement): ShownScene {
  const list = createRoot(root);
  list.render(<Contents />);
  return { name: '', look: () => {}, leave: () => list.unmount() };
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
