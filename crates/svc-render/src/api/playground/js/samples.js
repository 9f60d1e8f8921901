export const sample = () => [];
