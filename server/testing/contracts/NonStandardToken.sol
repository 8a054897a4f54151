// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

/// A token as USDT is on its first chain: nothing is answered, an allowance changes only from zero or to it, and a share of
/// each transfer may be kept as a fee.
contract NonStandardToken {
    string public constant name = "Odd";
    string public constant symbol = "ODD";
    uint8 public constant decimals = 6;
    uint256 public totalSupply;
    /// In hundredths of a percent.
    uint256 public fee;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function setFee(uint256 fee_) external {
        fee = fee_;
    }

    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function approve(address spender, uint256 value) external {
        require(value == 0 || allowance[msg.sender][spender] == 0, "Set it to zero first");
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }

    function transfer(address to, uint256 value) external {
        move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        allowance[from][msg.sender] -= value;
        move(from, to, value);
    }

    function move(address from, address to, uint256 value) private {
        uint256 kept = (value * fee) / 10_000;
        balanceOf[from] -= value;
        balanceOf[to] += value - kept;
        balanceOf[address(this)] += kept;
        emit Transfer(from, to, value - kept);
        if (kept > 0) emit Transfer(from, address(this), kept);
    }
}
