//! gpudesk-remote
