import { useMemo } from 'react'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { useChannel, useCanParticipate } from '../../store/hooks.ts'
import { ClosedComposer } from './ClosedComposer.tsx'
import { OpenComposer } from './OpenComposer.tsx'
import { closedReason, placeOf } from './place.ts'

/** The place to write in a channel, or in a thread of it. Nothing while the channel is not known. */
export function Composer({ cid, parentId }: { readonly cid: Cid; readonly parentId?: MessageId | undefined }) {
  const channel = useChannel(cid)
  const canParticipate = useCanParticipate()
  const place = useMemo(() => placeOf(cid, parentId), [cid, parentId])
  if (channel === undefined) return null
  const closed = closedReason(channel, parentId, canParticipate)
  if (closed !== undefined) return <ClosedComposer place={place} closed={closed} />
  return <OpenComposer key={place.key} place={place} channel={channel} />
}
