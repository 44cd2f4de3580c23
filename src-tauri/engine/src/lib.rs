//! gpudesk-engine
