import '../styles/tokens.css'
import './safe.css'
import { safePage, type SafeBridge } from './page.ts'

const { parlor } = window as { parlor?: SafeBridge }
// Without a bridge this is no window of the desktop app: the usual page knows what to say.
if (parlor === undefined) location.replace('/')
else void safePage(parlor, document.body, () => location.assign(`/index.html${location.search}`))
