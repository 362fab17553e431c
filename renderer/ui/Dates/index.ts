import { typedPart } from '../../lib/page/part.tsx'

/** Asks for a moment. Loaded when it is first opened: it understands dates written in three languages. */
export const MomentDialog = typedPart(async () => (await import('./MomentDialog.tsx')).MomentDialog)
