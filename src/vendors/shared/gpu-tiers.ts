/** GPUs that sandboxes can have. */
export const GPU_TIERS = ['T4', 'L4', 'A10G', 'A100', 'H100'] as const
export type GpuTier = (typeof GPU_TIERS)[number]
