import '../../renderer/styles/tokens.css'
import '../../renderer/styles/choices.css'
import '../../renderer/styles/hues.css'
import '../../renderer/styles/reset.css'
import '../../renderer/styles/global.css'
import { assert } from '#shared/lib/app-error.ts'
import { startApp } from '../../renderer/app/start.tsx'
import { createScene } from './scenes.ts'

/**
 * The real app on a fake bridge, for trying out and for pictures:
 * `?scene=main&theme=dark&density=compact&lang=pl&titlebar=windows`. Never shipped.
 */
const query = new URLSearchParams(location.search)
const { bridge, after } = createScene(query)
const root = document.getElementById('root')
assert(root !== null, 'index.html has a root')
await startApp({ bridge }, root)
after()
Object.assign(window, { gallery: bridge })
