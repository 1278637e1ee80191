// The look of the dashboard beside the UI kit, from what applies everywhere to
// what one part or page needs: calm, dense, and readable at 360 px and at
// 200 % zoom. Colours keep 4.5:1 in both schemes.
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
