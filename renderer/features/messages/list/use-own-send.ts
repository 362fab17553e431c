import { useEffect, useRef } from 'react'
import { composerKey } from '#shared/domain/draft.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { useAppSelector } from '../../../store/hooks.ts'

type Options = { readonly cid: Cid; readonly parentId: MessageId | undefined; readonly onSent: () => void }

/** Sending a message scrolls its list to the end. */
export function useOwnSend({ cid, parentId, onSent }: Options): void {
  const key = composerKey(cid, parentId)
  const latest = useRef(onSent)
  const newestFlight = useAppSelector((state) => state.composers[key]?.inFlight.at(-1)?.id)
  useEffect(() => {
    latest.current = onSent
  })
  useEffect(() => {
    if (newestFlight !== undefined) latest.current()
  }, [newestFlight])
}
