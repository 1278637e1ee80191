// Beside the UI kit. Readable at 360 px and 200 % zoom; colours keep 4.5:1 in
// both schemes.
import '../server/site/style/look.css';
import './styles/elements.css';
import './styles/layout.css';
import './styles/words.css';
import './shell/shell.css';
import './parts/parts.css';
import './parts/tables.css';
import './access/access.css';
import './pages/queue/queue.css';
import './pages/item/item.css';
