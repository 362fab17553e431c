import '../styles/tokens.css'
import './safe.css'
import { safePage, type SafeBridge } from './page.ts'

const { parlor } = window as { parlor?: SafeBridge }
// Without a bridge this is not a window of the desktop app: the main page shows the right message.
if (parlor === undefined) location.replace('/')
else void safePage(parlor, document.body, () => location.assign(`/index.html${location.search}`))
