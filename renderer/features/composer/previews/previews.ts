import { errorBodyOf } from '#shared/lib/app-error.ts'
import {
  planPreviews,
  previewLinks,
  previewsToSend,
  previewDecision,
  type PreviewEntry,
} from '#shared/rules/messages/link-previews.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { command } from '../../../store/command.ts'
import { selectConnection, selectSession, selectSettings } from '../../../store/selectors.ts'
import type { AppState, Thunk } from '../../../store/store.ts'
import type { Place } from '../selectors.ts'
import { useEffect, useRef, useState } from 'react'
import { LINK_PREVIEW_DEBOUNCE_MS } from '#shared/constants.ts'
import {
  type ComposerState,
  previewFailed,
  previewLoaded,
  previewsPlanned,
  previewTried,
} from '../../../store/composers/composers.ts'
import { type SettledChannel, useAppDispatch, useConnection, useSetting } from '../../../store/hooks.ts'

const NONE: readonly PreviewEntry[] = []
export const selectPreviews = (state: AppState, key: string): readonly PreviewEntry[] => state.linkPreviews[key] ?? NONE

/** Links of a text to preview, and whether some wait for the user's consent. */
function linksToPreview(state: AppState, place: Place, text: string): { look: readonly string[]; ask: boolean } {
  const choices = selectSettings(state).linkPreviews
  const where = { account: sidebarKey(selectSession(state)), cid: place.cid }
  const links = previewLinks(text).map((url) => ({ url, decision: previewDecision(url, choices, where) }))
  return {
    look: links.filter(({ decision }) => decision === 'look').map(({ url }) => url),
    ask: links.some(({ decision }) => decision === 'ask'),
  }
}

/** Requests previews of new links and stops those of removed ones. Returns whether to ask the user for consent. */
function updatePreviews(place: Place, text: string): Thunk<boolean> {
  return (dispatch, getState, { engine }) => {
    const state = getState()
    const { look, ask } = linksToPreview(state, place, text)
    const online = selectConnection(state).state === 'healthy'
    const held = selectPreviews(state, place.key)
    if (look.length === 0 && held.length === 0) return ask
    const plan = planPreviews(held, look, { online })
    dispatch(previewsPlanned({ key: place.key, entries: plan.entries }))
    for (const url of plan.stop) engine.links.stop({ url }).catch(() => console.debug('nothing to stop'))
    for (const url of plan.look) void dispatch(load(place, url))
    return ask
  }
}

export function tryPreviewAgain(place: Place, url: string): Thunk<Promise<void>> {
  return async (dispatch) => {
    dispatch(previewTried({ key: place.key, url }))
    await dispatch(load(place, url))
  }
}

function load({ key }: Place, url: string): Thunk<Promise<void>> {
  return async (dispatch, _getState, { engine }) => {
    try {
      const preview = await engine.links.preview({ url })
      dispatch(previewLoaded({ key, url, preview }))
    } catch (error) {
      dispatch(previewFailed({ key, url, waits: errorBodyOf(error).code === 'network/offline' }))
    }
  }
}

/** The previews to send with the message. */
export function sentPreviews(
  state: AppState,
  place: Place,
  text: string,
): { previewUrls?: string[]; skipEnrich?: true } {
  const { urls, skipEnrich } = previewsToSend(selectPreviews(state, place.key), previewLinks(text))
  return {
    previewUrls: urls.length === 0 ? undefined : [...urls],
    skipEnrich: skipEnrich ? true : undefined,
  }
}

export const choosePreviews = command(
  'settings/linkPreviewsChosen',
  (linkPreviews: ReturnType<typeof selectSettings>['linkPreviews'], engine) => engine.settings.update({ linkPreviews }),
)

/**
 * Updates the previews once the writer pauses, and again when the connection or the preview settings change.
 *
 * @returns whether to ask the user if links may be previewed
 */
export function usePreviews(place: Place, channel: SettledChannel, composer: ComposerState): boolean {
  const dispatch = useAppDispatch()
  const linkPreviews = useSetting('linkPreviews')
  const { state } = useConnection()
  const [asks, setAsks] = useState(false)
  const looked = useRef<string>(undefined)
  /** The setting and the connection at the time of the last check. */
  const reason = useRef<string>(undefined)
  const text = composer.editing === undefined ? composer.text : undefined
  const enabled = channel.config.urlEnrichment === true
  useEffect(() => {
    if (!enabled || text === undefined) return undefined
    const why = JSON.stringify([linkPreviews, state])
    const wait = looked.current === text ? 0 : LINK_PREVIEW_DEBOUNCE_MS
    const timer = setTimeout(() => {
      looked.current = text
      reason.current = why
      setAsks(dispatch(updatePreviews(place, text)))
    }, wait)
    return () => clearTimeout(timer)
  }, [dispatch, enabled, linkPreviews, place, state, text])
  return asks && enabled && linkPreviews.mode === 'ask' && composer.editing === undefined && composer.text !== ''
}
