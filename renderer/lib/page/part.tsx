import { createContext, lazy, Suspense, use, useEffect, useState, type ComponentType, type ReactNode } from 'react'

/** Whether the host that serves code is reachable: `gone` until it is back, `shut` when it never will be for this page. */
type Presence = 'here' | 'gone' | 'shut'
type Watch = (listener: (state: Presence) => void) => () => void

/** A load fails as soon as the source is gone; that is reported only a moment later. */
const NEXT_TRY_MS = 1_000
const TRIES = 3

let source: Watch | undefined
const failed = new Set<() => void>()
const unstyled = new Set<HTMLLinkElement>()

/** Sets the code source to watch. Without one, code is loaded from disk and failures are final. */
export function setCodeSource(watch: Watch | undefined): void {
  source = watch
  document.removeEventListener('error', onLoadError, true)
  if (watch !== undefined) document.addEventListener('error', onLoadError, true)
}

/** Lets parts that failed to load be loaded again at the next render. */
export function forgetFailedParts(): void {
  for (const forget of failed) forget()
  failed.clear()
}

/**
 * Loads code on demand. If the source is gone, stays pending and loads once it is back.
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      if (unstyled.size > 0) await reloadStyles()
      return await load()
    } catch (error) {
      const watch = source
      if (watch === undefined) throw error
      if (await waitForSource(watch)) tries = 0
      else if (tries >= TRIES) throw error
    }
  }
}

type Part<Props extends object> = ((props: Props) => ReactNode) & {
  /** Preloads the code. */
  readonly warm: () => void
  /** Preloads it, and resolves when it is rendered at once, or cannot be loaded now. */
  readonly ready: () => Promise<void>
}

/** What is typed into as soon as it is opened: a dialog, which can be closed, or a view that begins with a field. */
type Opened = { readonly onClose?: () => void }

/** Renders what is shown until the code of a part is loaded; by default nothing. `opened`: the part is typed into. */
export const PartFallback = createContext<(opened?: Opened) => ReactNode>(() => null)

/**
 * A component whose code is loaded at its first render. Until then it shows the {@link PartFallback} around it. Nothing
 * else waits for it: with a shared boundary, React would hide what is beside it, and the field that has the focus.
 */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>): Part<Props> {
  return loadedPart(load, () => use(PartFallback)())
}

/**
 * As {@link part}, for what is typed into as soon as it is opened: what is typed before its code is loaded is not lost.
 *
 * @param useIsTyped whether this is so now; else nothing is shown meanwhile
 */
export function typedPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  useIsTyped: (props: Props) => boolean = () => true,
): Part<Props> {
  return loadedPart(load, (props) => {
    const show = use(PartFallback)
    return useIsTyped(props) ? show(props) : null
  })
}

/** As {@link part}, for what opens over a page or unfolds in it: shows nothing until its code is loaded. */
export function overlayPart<Props extends object>(load: () => Promise<ComponentType<Props>>): Part<Props> {
  return loadedPart(load, () => null)
}

function loadedPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  useFallback: (props: Props) => ReactNode,
): Part<Props> {
  let coming: Promise<{ default: ComponentType<Props> }> | undefined
  let ready: ComponentType<Props> | undefined
  const ask = (): Promise<{ default: ComponentType<Props> }> => {
    coming ??= loadCode(load).then((whole) => {
      ready = whole
      return { default: whole }
    })
    return coming
  }
  let Known = lazy(ask)
  const forget = (): void => {
    coming = undefined
    Known = lazy(ask)
  }
  const begin = (): Promise<void> =>
    ask().then(
      () => undefined,
      () => void failed.add(forget),
    )
  const warm = (): void => void begin()
  const Whole = (props: Props) => {
    if (coming === undefined) warm()
    const fallback = useFallback(props)
    // Code that is already loaded is rendered at once, without the fallback.
    const [Body] = useState(() => ready ?? Known)
    return (
      <Suspense fallback={fallback}>
        <Body {...props} />
      </Suspense>
    )
  }
  return Object.assign(Whole, { warm, ready: begin })
}

/** Code that is loaded when it is first wanted. */
type Code<T> = {
  /** What was loaded; `undefined` until then. */
  readonly ready: () => T | undefined
  readonly load: () => Promise<T>
}

export function codeOf<T>(load: () => Promise<T>): Code<T> {
  let coming: Promise<T> | undefined
  let ready: T | undefined
  const ask = async (): Promise<T> => {
    coming ??= loadCode(load)
    try {
      ready = await coming
      return ready
    } catch (error) {
      coming = undefined
      throw error
    }
  }
  return { ready: () => ready, load: ask }
}

/** Such code for a component, which is rendered again when it is loaded. Loads it only if it is wanted. */
export function useCode<T>(code: Code<T>, wanted: boolean): T | undefined {
  const [, setLoaded] = useState(false)
  const ready = code.ready()
  const isMissing = wanted && ready === undefined
  useEffect(() => {
    if (!isMissing) return undefined
    let isGone = false
    // Without it, the component stays as it is: the next one tries again.
    code.load().then(
      () => isGone || setLoaded(true),
      () => undefined,
    )
    return () => void (isGone = true)
  }, [code, isMissing])
  return ready
}

/** Resolves when a retry makes sense: with `true` once a source that was gone is back, else after a moment. */
function waitForSource(watch: Watch): Promise<boolean> {
  return new Promise((resolve) => {
    let wasUnavailable = false
    let stop: () => void = () => undefined
    const done = (isBack: boolean): void => {
      clearTimeout(timer)
      // The watch may call back before it returns `stop`.
      queueMicrotask(() => stop())
      resolve(isBack)
    }
    const timer = setTimeout(() => wasUnavailable || done(false), NEXT_TRY_MS)
    stop = watch((state) => {
      if (state !== 'here') wasUnavailable = true
      else if (wasUnavailable) done(true)
    })
  })
}

/** The browser does not retry a stylesheet that failed to load, and its part would be rendered without it. */
async function reloadStyles(): Promise<void> {
  const links = [...unstyled]
  unstyled.clear()
  await Promise.all(
    links.map(
      (link) =>
        new Promise<void>((resolve, reject) => {
          const again = link.cloneNode() as HTMLLinkElement
          again.addEventListener('load', () => resolve())
          again.addEventListener('error', () => reject(new Error(`No stylesheet at ${link.href}`)))
          link.replaceWith(again)
        }),
    ),
  )
}

/** The error event of a link does not bubble, so it is captured. */
function onLoadError({ target }: Event): void {
  if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') unstyled.add(target)
}
