// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC3009} from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC3009.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// A token of the sandbox that its owner mints, with permit (EIP-2612) and transfers by signature (EIP-3009).
contract SandboxToken is ERC20, ERC20Permit, ERC3009, Ownable {
    uint8 private immutable places;

    constructor(string memory name_, string memory symbol_, uint8 decimals_, address owner_)
        ERC20(name_, symbol_)
        ERC20Permit(name_)
        Ownable(owner_)
    {
        places = decimals_;
    }

    function decimals() public view override returns (uint8) {
        return places;
    }

    /// The version in the EIP-712 domain, where USDC has it too.
    function version() external view returns (string memory) {
        return _EIP712Version();
    }

    function mint(address to, uint256 value) external onlyOwner {
        _mint(to, value);
    }
}
