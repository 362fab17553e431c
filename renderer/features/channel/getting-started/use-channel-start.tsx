import type { ReactNode } from 'react'
import type { Cid } from '#shared/lib/brand.ts'
import { GENERAL_CID } from '#shared/rules/channels/channels.ts'
import { overlayPart } from '../../../lib/page/part.tsx'
import { useAppSelector, useCanParticipate, useSession } from '../../../store/hooks.ts'
import { selectGuide } from './commands.ts'

export const GettingStarted = overlayPart(async () => (await import('./GettingStarted.tsx')).GettingStarted)

/** What the first channel of an own workspace begins with; absent in any other channel. */
export function useChannelStart(cid: Cid): ReactNode {
  const { workspace } = useSession()
  const canParticipate = useCanParticipate()
  const { closed } = useAppSelector(selectGuide)
  const isOwn = workspace?.kind === 'local' && !workspace.demo && cid === GENERAL_CID
  return isOwn && canParticipate && !closed ? <GettingStarted name={workspace.name} /> : undefined
}
