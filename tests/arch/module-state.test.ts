import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { isTest, readSource, sourceFiles } from './modules.ts'

/**
 * State of modules of the renderer. It survives a switch of accounts, so none of it may belong to an account or to what
 * a window shows: that is in the store, or in an object of `renderer/store/objects.ts`.
 */
const CACHE = 'cache of what a pure function returns'
const CODE = 'code or data of the bundle, loaded once'
const PAGE = 'state of the page itself, the same for every account'

const ALLOWED: Readonly<Record<string, string>> = {
  'renderer/features/composer/suggestions/mentions.ts labelCache': CACHE,
  'renderer/features/composer/voice/use-voice.ts recordsOpus': PAGE,
  'renderer/features/emoji/emoji-list.ts lists': CODE,
  'renderer/features/messages/actions/copy.ts copies': PAGE,
  'renderer/features/messages/list/list-navigation.ts lastVisit': 'a number that is never the same twice in a page',
  'renderer/ui/Modal/Modal.tsx early': 'keys pressed while the code of the switcher loads; taken when it opens',
  'renderer/features/switcher/rank.ts cache': CACHE,
  'renderer/i18n/format.tsx cache': CACHE,
  'renderer/i18n/format.tsx listeners': PAGE,
  'renderer/i18n/format.tsx preferences': PAGE,
  'renderer/i18n/load-texts.ts loaded': CODE,
  'renderer/i18n/i18n.ts cache': CACHE,
  'renderer/i18n/i18n.ts listeners': PAGE,
  'renderer/i18n/i18n.ts loaded': CODE,
  'renderer/i18n/i18n.ts shown': PAGE,
  'renderer/i18n/i18n.ts wanted': PAGE,
  'renderer/lib/page/announce.ts gap': PAGE,
  'renderer/lib/page/announce.ts listeners': PAGE,
  'renderer/lib/page/announce.ts pending': 'emptied when the account changes',
  'renderer/lib/page/announce.ts queue': 'emptied when the account changes',
  'renderer/lib/page/announce.ts serial': PAGE,
  'renderer/lib/page/announce.ts urgent': 'emptied when the account changes',
  'renderer/lib/page/focus.ts handedOver': 'an element, until the end of the task',
  'renderer/lib/page/environment.ts away': PAGE,
  'renderer/lib/page/environment.ts viewListeners': PAGE,
  'renderer/lib/page/part.tsx failed': CODE,
  'renderer/lib/page/part.tsx source': PAGE,
  'renderer/lib/page/part.tsx unstyled': CODE,
  'renderer/lib/page/environment.ts savingListeners': PAGE,
  'renderer/lib/page/environment.ts saving': PAGE,
  'renderer/lib/page/sounds.ts output': PAGE,
  'renderer/ui/Popover/Popover.tsx hideOpen': PAGE,
  'renderer/ui/Popover/Popover.tsx lastHiddenAt': PAGE,
  'renderer/lib/text/language-mark.ts timer': PAGE,
  'renderer/lib/text/language-mark.ts waiting': 'elements of the page, until they are marked or removed',
  'renderer/lib/time/clocks.ts minuteListeners': PAGE,
  'renderer/lib/time/clocks.ts minute': PAGE,
  'renderer/lib/time/clocks.ts minuteTimer': PAGE,
  'renderer/store/reminders.ts now': PAGE,
  'renderer/store/reminders.ts timer': PAGE,
  'renderer/store/reminders.ts watched': PAGE,
  'renderer/ui/Modal/Modal.tsx listeners': PAGE,
  'renderer/ui/Modal/Modal.tsx open': PAGE,
}

type Node = { readonly type: string; readonly [key: string]: unknown }

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const one of value) yield* nodesOf(one)
  if (!isNode(value)) return
  yield value
  for (const [key, child] of Object.entries(value)) if (key !== 'parent') yield* nodesOf(child)
}

const MUTATORS = new Set(
  'add set delete clear push pop shift unshift splice sort reverse fill copyWithin append assign'.split(' '),
)
/** Built-in objects that cannot change, or contain nothing of the page. Nothing is known about other classes. */
const IMMUTABLE = new Set(['RegExp', 'URL', 'TextEncoder', 'TextDecoder', 'MarkdownIt'])
const COLLECTIONS = new Set(['Map', 'Set', 'WeakMap', 'WeakSet', 'Array'])

/** Expressions whose value can be changed later. */
const HOLDERS = new Set([
  'ArrayExpression',
  'ObjectExpression',
  'CallExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
])

const nameOf = (node: unknown): string => (isNode(node) && typeof node['name'] === 'string' ? node['name'] : '')

/** Names whose object the module changes: by a mutating call, an assignment to a part of it, or `delete`. */
function changedIn(program: unknown): ReadonlySet<string> {
  const changed = new Set<string>()
  for (const node of nodesOf(program)) {
    const target =
      node.type === 'CallExpression'
        ? node['callee']
        : node.type === 'AssignmentExpression'
          ? node['left']
          : node.type === 'UpdateExpression' || (node.type === 'UnaryExpression' && node['operator'] === 'delete')
            ? node['argument']
            : undefined
    if (!isNode(target) || target.type !== 'MemberExpression') continue
    if (node.type === 'CallExpression' && !MUTATORS.has(nameOf(target['property']))) continue
    changed.add(nameOf(target['object']))
  }
  return changed
}

/** Names of a module's own variables that can change: `let`, and a constant that is filled, emptied or of a class. */
export function stateOf(path: string, source: string): readonly string[] {
  const { program } = parseSync(path, source)
  let known: ReadonlySet<string> | undefined
  const isChanged = (name: string): boolean => (known ??= changedIn(program)).has(name)
  const found: string[] = []
  const body = (program.body as unknown as readonly Node[]).map((node) =>
    node.type === 'ExportNamedDeclaration' && isNode(node['declaration']) ? node['declaration'] : node,
  )
  for (const node of body) {
    if (node.type !== 'VariableDeclaration') continue
    for (const { id, init } of node['declarations'] as readonly { id: Node; init: unknown }[]) {
      const name = nameOf(id)
      if (node['kind'] !== 'const') found.push(name)
      else if (!isNode(init)) continue
      else if (init.type === 'NewExpression') {
        const of = nameOf(init['callee'])
        const isCollection = COLLECTIONS.has(of)
        if (isCollection ? of.startsWith('Weak') || isChanged(name) : !IMMUTABLE.has(of)) found.push(name)
      } else if (HOLDERS.has(init.type) && isChanged(name)) found.push(name)
    }
  }
  for (const node of /\bstatic\b/.test(source) ? nodesOf(body) : []) {
    if (node.type === 'PropertyDefinition' && node['static'] === true && node['readonly'] !== true) {
      found.push(`static ${nameOf(node['key'])}`)
    }
  }
  return found
}

test('no module of the renderer has state of an account or of what a window shows', () => {
  const found = sourceFiles()
    .filter((path) => path.startsWith('renderer/') && !isTest(path))
    .flatMap((path) => stateOf(path, readSource(path)).map((name) => `${path} ${name}`))
  expect(found.toSorted()).toEqual(Object.keys(ALLOWED).toSorted())
})

test('every form of state is found', () => {
  const source = `
    let count = 0
    const held = new Map(), names = new Set(['a']), left = new WeakMap(), list: string[] = [], table = {}, fixed = [1]
    const places = new Places()
    export const pattern = new RegExp('x')
    class Box { static last: string }
    held.set('a', 1); list.push('b'); table['c'] = 2; names.has('a'); fixed.includes(1)`
  expect(stateOf('a.ts', source)).toEqual(['count', 'held', 'left', 'list', 'table', 'places', 'static last'])
})
