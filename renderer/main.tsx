import { early } from './early.ts'
import './styles/tokens.css'
import './styles/choices.css'
import './styles/hues.css'
import './styles/reset.css'
import './styles/global.css'
import { assert } from '#shared/lib/app-error.ts'
import { applyRememberedLook } from './app/theme.ts'
import { showRefusal, startApp } from './app/start.tsx'

applyRememberedLook()
const root = document.getElementById('root')
assert(root !== null, 'index.html has a root')
early.then((begun) => startApp(begun, root)).catch((error: unknown) => showRefusal(error, root))
