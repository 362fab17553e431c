import { useEffect, useRef, useState } from 'react'
import { LINK_PREVIEW_DEBOUNCE_MS } from '#shared/constants.ts'
import type { Channel } from '#shared/domain/channel.ts'
import type { ComposerState } from '../../../store/composers/composers.ts'
import { useAppDispatch, useConnection, useSetting } from '../../../store/hooks.ts'
import type { Place } from '../place.ts'
import { updatePreviews } from './previews.ts'

/**
 * Updates the previews once the writer pauses, and again when the connection or the preview settings change.
 *
 * @returns whether to ask the user if links may be previewed
 */
export function usePreviews(place: Place, channel: Channel, composer: ComposerState): boolean {
  const dispatch = useAppDispatch()
  const linkPreviews = useSetting('linkPreviews')
  const { state } = useConnection()
  const [asks, setAsks] = useState(false)
  const looked = useRef<string>(undefined)
  /** What the last look was made under: the choice and the connection. */
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
